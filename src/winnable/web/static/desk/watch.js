// Watching: a player, a solver, or a line that a solver found plays on the board. Each next step is asked for
// only after the answer to the last one, so a slow solver or server is never flooded.

import { emit, on } from "../base/bus.js";
import { drawCompiling } from "../base/compiling.js";
import { $, el, setText, sure } from "../base/dom.js";
import { game, gameInfo, over, send } from "./game.js";
import { t } from "../base/i18n.js";
import { methodName, settingsFit, settingsOf, showSettings } from "./methods.js";
import { recall, remember } from "../base/storage.js";
import { runName } from "./names.js";
/** @import { ErrorEvent, GameInfo, MethodInfo, Run } from "../base/messages.js" */

/** Actions to be played after those of `before`, which the session has had.
 *  @typedef {{ session: string, before: number[], actions: number[], name: string }} PlayedLine */

/** Milliseconds between steps for each position of the slider. */
const DELAYS = [2000, 1200, 750, 450, 220, 80, 0];
const LINE = "line:";
/** Milliseconds after the end of a game, at the least, until the next one begins. */
const PAUSE = 1500;

const watch = {
  playing: false,
  waiting: false,
  timer: /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined),
  line: /** @type {PlayedLine | null} */ (null),
  /** Who plays the game that begins anew. */
  again: /** @type {string | null} */ (null),
};
const delay = () => DELAYS[Number($("watch-speed").value)];

/** Kept tuning runs: what their weights make is named like a method. */
const tuned = { runs: /** @type {Run[]} */ ([]), wanted: /** @type {string | null} */ (null) };

export function watching() {
  return watch.playing;
}

/** Actions to be played after those of `before`, which the session has had. @param {PlayedLine} line */
export function playLine(line) {
  watch.line = line;
  fillChoices();
  $("watch-who").value = LINE;
  toggle(true);
}

export function toggle(playing = !watch.playing) {
  clearTimeout(watch.timer);
  watch.playing = playing && game.state !== null && (!over() || $("watch-who").value === LINE);
  draw();
  emit("watch", watch.playing);
  if (watch.playing && !watch.waiting && !game.flying) step();
}

/** Asks for one action; false when there is none to ask for. */
function step() {
  const who = $("watch-who").value;
  if (!game.state || watch.waiting || game.flying) return;
  const method = chosenMethod();
  const sent = who === LINE ? stepLine() : !over() && settingsFit($("watch-settings")) && method && send({ type: "step", ...method });
  watch.waiting = Boolean(sent);
  if (!sent) toggle(false);
  draw();
}

/** Who plays, as requests name it; null while a line is what plays. */
export function chosenMethod() {
  const method = shownMethod();
  return method && { by: method.name, settings: settingsOf(sure(game.state).game, method) };
}

/** The article's automatic game: what a person does acts too, and after the end it begins anew. */
const isAutomatic = () => $("watch-again").checked && /^(player|tuned):/.test($("watch-who").value);

function shownMethod() {
  const [, kind, name] = /^(player|solver|tuned):(.*)$/.exec($("watch-who").value) ?? [];
  if (kind === "tuned") return { name, settings: [] };
  const methods = kind && gameInfo()?.[kind === "player" ? "players" : "solvers"];
  return methods ? methods.find((method) => method.name === name) : null;
}

/** The next action of the line, after a return to its beginning when the board is elsewhere: then the branch that
 *  it began on is looked for from the last point that is on the way there. */
function stepLine() {
  const { ply, session } = sure(game.state);
  if (session !== watch.line?.session) return false;
  const { before, actions } = watch.line;
  const way = [...before, ...actions];
  const common = game.history.common(way);
  if (ply >= before.length && ply <= common) return ply < way.length && send({ type: "act", action: way[ply] });
  if (common >= before.length) return send({ type: "goto", ply: before.length });
  return send({ type: "goto", ply: common, action: way[common] });
}

function onState() {
  watch.waiting = false;
  if (watch.line && watch.line.session !== game.state?.session) {
    watch.line = null;
    fillChoices();
  }
  clearTimeout(watch.timer);
  if (watch.playing && over()) {
    const anew = isAutomatic();
    toggle(false);
    if (anew) watch.timer = setTimeout(beginAnew, Math.max(delay(), PAUSE));
  } else if (watch.playing && !game.flying) watch.timer = setTimeout(step, delay());
  draw();
}

/** A new game of the same kind, which the same player plays: other tiles or dice where those are drawn. */
function beginAnew() {
  const { state } = game;
  if (!state || !over()) return;
  const drawn = /^(\w+:[^#]*)#\d+/.exec(state.level_id)?.[1];
  watch.again = $("watch-who").value;
  const sent = drawn ? send({ type: "new", level: `${drawn}#${Math.floor(Math.random() * 2 ** 32)}`, game: state.game }) : send({ type: "goto", ply: 0 });
  if (!sent) watch.again = null;
}

function onLanded() {
  if (watch.playing) watch.timer = setTimeout(step, delay());
  draw();
}

/** @param {ErrorEvent} event */
function onError({ request }) {
  if (request === "new") tuned.wanted = watch.again = null;
  if (!watch.waiting || !["step", "act", "goto"].includes(request)) return;
  watch.waiting = false;
  toggle(false);
}

/** The level's own player, where that is not just the game's first one. @param {GameInfo} info */
function usualChoice({ players }) {
  const player = game.state?.player;
  return player === players[0].name ? null : `player:${player}`;
}

const TUNED = "tuned:run:";

/** Opens a level and lets the run's weights play it. @param {Run} run @param {string} level */
export function letTunedPlay(run, level) {
  if (send({ type: "new", level, game: run.game })) tuned.wanted = TUNED + run.id;
}

/** anew: for another game or level. */
function fillChoices(anew = false) {
  const select = $("watch-who");
  const info = gameInfo();
  if (!info) return;
  const chosen = anew ? (usualChoice(info) ?? recall("watch")) : select.value || recall("watch");
  /** @param {string} key @param {string} prefix @param {MethodInfo[]} methods */
  const group = (key, prefix, methods) =>
    el("optgroup", { label: t(key) }, ...methods.map(({ name }) => el("option", { value: prefix + name }, methodName(name))));
  const groups = [group("watch.players", "player:", info.players), group("watch.solvers", "solver:", info.solvers)];
  const runs = tuned.runs.filter((run) => run.game === info.name && run.latest);
  if (runs.length) groups.push(el("optgroup", { label: t("watch.tuned") }, ...runs.map((run) => el("option", { value: TUNED + run.id }, `${runName(run)} · ${run.id.slice(0, 4)}`))));
  if (watch.line) {
    const name = t("watch.line", { name: watch.line.name });
    groups.push(el("optgroup", { label: t("watch.lines") }, el("option", { value: LINE }, name)));
  }
  select.replaceChildren(...groups);
  select.value = chosen ?? "";
  if (!select.value) select.selectedIndex = 0;
  showChosen();
}

function showChosen() {
  showSettings($("watch-settings"), game.state?.game, game.state && shownMethod());
}

function draw() {
  const { playing, waiting } = watch;
  for (const button of [$("watch"), $("watch-play")]) {
    button.classList.toggle("busy", playing && waiting);
    button.disabled = !playing && over();
  }
  $("watch").setAttribute("aria-pressed", playing);
  $("watch-icon").setAttribute("href", playing ? "#i-pause" : "#i-play");
  $("watch-play-icon").setAttribute("href", playing ? "#i-pause" : "#i-play");
  setText($("watch-label"), t(playing ? "watch.pause" : "toolbar.watch"));
  setText($("watch-play-label"), t(playing ? "watch.pause" : "watch.play"));
  drawCompiling($("watch-compiling"), game.state?.game, waiting);
  $("watch-step").disabled = over() || playing || game.flying;
  $("watch-speed").setAttribute("aria-valuetext", t("watch.delay", { n: delay() / 1000 }));
}

export function mountWatch() {
  on("hello language", () => fillChoices());
  on("runs", ({ runs }) => {
    tuned.runs = runs;
    fillChoices();
  });
  on("hello language settings compiling", draw);
  /** @type {string | null} */
  let shown = null;
  on("state", ({ session }) => {
    if (session !== shown) fillChoices(true);
    shown = session;
  });
  on("state", onState);
  on("state", () => {
    const wanted = tuned.wanted ?? watch.again;
    if (!wanted) return;
    $("watch-who").value = wanted;
    tuned.wanted = watch.again = null;
    showChosen();
    toggle(true);
  });
  on("landed", onLanded);
  on("error", onError);
  on("act", () => watch.playing && toggle(false));
  on("joined", () => watch.playing && !isAutomatic() && toggle(false));
  on("connection", (connected) => {
    watch.waiting = false;
    if (!connected) toggle(false);
  });
  $("watch").addEventListener("click", () => toggle());
  $("watch-play").addEventListener("click", () => toggle());
  $("watch-step").addEventListener("click", step);
  $("watch-who").addEventListener("change", () => {
    if ($("watch-who").value !== LINE) remember("watch", $("watch-who").value);
    showChosen();
  });
  $("watch-again").checked = recall("watch-again") === "on";
  $("watch-again").addEventListener("change", () => remember("watch-again", $("watch-again").checked ? "on" : "off"));
  $("hint-by").checked = recall("hint-by") === "on";
  $("hint-by").addEventListener("change", () => remember("hint-by", $("hint-by").checked ? "on" : "off"));
  const speed = $("watch-speed");
  speed.value = recall("speed") ?? speed.value;
  speed.addEventListener("input", () => {
    remember("speed", speed.value);
    draw();
  });
}
