// The solver panel: a button for each method of the game. See it work, read and play what it found.

import { emit, on } from "../base/bus.js";
import { compiling, drawCompiling } from "../base/compiling.js";
import { $, el, icon, redraw, setText, show, sure } from "../base/dom.js";
import { game, gameInfo, lengthVaries, send, verdictNow } from "./game.js";
import { countMoves, has, moveWord, number, ownKey, seconds, shortNumber, t } from "../base/i18n.js";
import { toast } from "../base/notify.js";
import { refusalWords } from "../base/refusal.js";
import { blameSetting, methodButton, methodLabel, settingsFit, settingsOf, showSettings, stageText } from "./methods.js";
import { settings } from "../base/settings.js";
import { playLine, watching, toggle } from "./watch.js";
/** @import { Icon } from "../base/dom.js" */
/** @import { Answer, Best, ErrorEvent, Lamp, Limit, MethodInfo, ProgressEvent, Result, State } from "../base/messages.js" */
/** An answer, and to what. @typedef {Omit<Result, "answer"> & Answer} Told */
/** @typedef {Told & { before: number[], number: number }} Found */
/** @typedef {Pick<Best, "actions" | "moves">} Line */
/** @type {Record<Answer["status"], Icon>} */
const STATUS_ICONS = { solved: "check", unsolvable: "cross", budget: "question" };
const MOST_RESULTS = 8;
/** Of a method that has no limit of time of its own, where the person names none. */
const USUAL_SECONDS = 60;
/** Milliseconds until a search under way is shown: most answer sooner, and figures that flash tell nothing. */
const PATIENCE = 300;
const IDLE = { solver: /** @type {string | null} */ (null), progress: /** @type {ProgressEvent | null} */ (null), shown: false };
/** before: the actions that led to where the solver began. opened: the method whose settings are shown.
 *  fewest: what is proved, by the actions that led there: {n: actions to a win, by: who proved it; null: the lamp}. */
const run = {
  ...IDLE,
  limit: 60,
  results: /** @type {Found[]} */ ([]),
  before: /** @type {number[]} */ ([]),
  opened: /** @type {string | null} */ (null),
  fewest: /** @type {Map<string, { n: number, by: string | null }>} */ (new Map()),
};
/** @type {ReturnType<typeof setTimeout> | undefined} */
let late;

/** @param {string | null} name */
const methodNamed = (name) => sure(gameInfo()).solvers.find((method) => method.name === name);

/** Of a method that has a limit of time of its own: that one. @param {MethodInfo} method */
const ownTime = ({ settings }) => settings.find(({ name }) => name === "seconds");

/** @param {MethodInfo} method */
const usualSeconds = (method) => Math.min(3600, Number(ownTime(method)?.default ?? USUAL_SECONDS));

/** There is one field for the time, which all methods share. @param {MethodInfo} method */
const besideTime = (method) => ({ ...method, settings: method.settings.filter(({ name }) => name !== "seconds") });

/** What found it, with its settings. @param {Told} result */
const labelOf = ({ solver, settings }) => methodLabel(sure(game.state).game, besideTime(sure(methodNamed(solver))), settings);

/** @param {string} solver */
function start(solver) {
  const method = sure(methodNamed(solver));
  const given = $("solve-seconds").value.trim();
  const limit = given || !$("solve-seconds").validity.valid ? Number(given) : usualSeconds(method);
  if (!(limit > 0 && limit <= 3600)) {
    toast(t("solve.limit.bad"), "warning");
    return;
  }
  if (watching()) toggle(false);
  if (run.opened === solver && !settingsFit($("solve-settings"))) return;
  if (!game.state || game.flying) return;
  const chosen = { ...settingsOf(game.state.game, besideTime(method)), ...(ownTime(method) ? { seconds: limit } : {}) };
  if (!send({ type: "solve", solver, seconds: limit, settings: chosen })) return;
  Object.assign(run, { ...IDLE, solver, limit, before: wayTo(game.state.ply) });
  late = setTimeout(showRun, PATIENCE);
  draw();
}

/** @param {number} ply */
const wayTo = (ply) => game.history.actions.slice(0, ply);

/** What is not in the panel's view is not seen: it comes into view, unless the person is elsewhere meanwhile.
 *  @param {Element | null} node */
function reveal(node) {
  const { top, bottom } = $("solve-panel").getBoundingClientRect();
  if (top < innerHeight && bottom > 0) node?.scrollIntoView({ block: "nearest", behavior: settings.motion ? "smooth" : "auto" });
}

function showRun() {
  run.shown = true;
  draw();
  reveal($("solve-progress"));
}

function idle() {
  clearTimeout(late);
  Object.assign(run, IDLE);
}

/** @param {ProgressEvent} progress */
function onProgress(progress) {
  if (run.solver === null) return;
  run.progress = progress;
  drawProgress();
}

/** @param {Result} event */
function onResult({ answer, ...told }) {
  const result = { ...told, ...answer };
  const asked = run.solver !== null;
  const before = asked ? run.before : wayTo(result.ply);
  idle();
  if (result.optimal) learn(before, result.actions.length, labelOf(result));
  // A line that the level has come to give enough for replaces what was said of it before.
  run.results = run.results.filter(({ best }) => !best || String(best.actions) !== String(result.actions));
  run.results.unshift({ ...result, before, number: (run.results[0]?.number ?? 0) + 1 });
  run.results.length = Math.min(run.results.length, MOST_RESULTS);
  draw();
  if (asked) reveal($("solve-results").firstElementChild);
}

/** @param {number[]} before @param {number} n @param {string | null} by */
function learn(before, n, by) {
  if (!run.fewest.has(String(before))) run.fewest.set(String(before), { n, by });
}

/** @param {Lamp} lamp */
function onLamp({ session, ply, optimal, remaining }) {
  if (session !== game.state?.session || ply !== game.state.ply || !optimal || !remaining) return;
  learn(wayTo(ply), remaining, null);
  draw();
}

function stop() {
  if (run.solver === null) return;
  idle();
  draw();
}

/** @param {string} key @param {string} value */
function figure(key, value) {
  return el("div", {}, el("dt", {}, t(key)), el("dd", {}, value));
}

function drawProgress() {
  drawCompiling($("solve-compiling"));
  for (const part of [$("solve-time"), $("solve-proved"), $("solve-figures")]) show(part, compiling() === null);
  const { expanded = 0, seconds: passed = 0 } = run.progress ?? {};
  $("solve-bar").value = Math.min(1, passed / run.limit);
  setText($("solve-used"), t("solve.used", { time: seconds(passed), limit: seconds(run.limit) }));
  setText($("solve-proved"), proved());
  $("solve-figures").replaceChildren(
    figure("solve.stage", stageText(run.progress ?? {})),
    ...(expanded ? [figure("solve.nodes", shortNumber(expanded))] : []),
    ...(expanded && passed > 0.05 ? [figure("solve.rate", shortNumber(expanded / passed))] : []),
  );
}

/** That no answer of the search under way can be news. The person may still want to see what it finds. */
function proved() {
  const { ply, game: name } = sure(game.state);
  if (String(wayTo(ply)) === String(run.before) && verdictNow() === "lost") return t("solve.proved.lost");
  const fewest = run.fewest.get(String(run.before));
  return fewest && lengthVaries() ? t("solve.proved", { moves: countMoves(fewest.n, name) }) : "";
}

/** What the line costs at best, as far as the method, or another, knows. @param {Found} found */
function bound({ status, optimal, actions, before, cost, lower_bound: low }) {
  if (!lengthVaries()) return null;
  if (status === "solved" && optimal) return t("solve.optimal");
  const fewest = run.fewest.get(String(before));
  if (status === "solved" && fewest) {
    const more = actions.length - fewest.n;
    if (more > 0) return t("solve.more", { moves: countMoves(more, game.state?.game) });
    return t("solve.optimal.by", { name: fewest.by ?? t("solve.lamp") });
  }
  return low !== null && low > 0 && low !== cost ? t("solve.bound", { n: number(low) }) : null;
}

/** The actions from top to bottom; those that the board has behind it are ticked.
 *  @param {Found} found @param {Line} line */
function clicks({ ply, session, before }, { actions, moves }) {
  const { state, history } = game;
  const along = session === state?.session ? Math.min(state.ply, history.common([...before, ...actions])) : 0;
  /** @param {number} i */
  const played = (i) => ply + i < along;
  return el("ol", { class: "clicks", tabindex: 0, "data-testid": "solve-clicks", "aria-label": t("solve.clicks") },
    ...moves.map((name, i) => el("li", { class: played(i) ? "played" : "" }, game.board?.spell?.(name) ?? game.board?.describe(name) ?? name)));
}

/** Whether it is a line for which the level does not give enough. @param {Found} found */
const short = ({ limit }) => limit?.kind === "supply";

/** @param {Found} found */
function verdictText(found) {
  const { status, actions, best } = found;
  if (short(found) && best) {
    const key = `line.${best.measure}`;
    const figures = { value: number(best.value), target: best.target === null ? "–" : number(best.target) };
    return t(has(key) ? key : "line.supply", { moves: countMoves(best.actions.length, game.state?.game), ...figures });
  }
  if (status === "solved") return t("solve.solved", { moves: countMoves(actions.length, game.state?.game) });
  return t(status === "unsolvable" ? "solve.unsolvable" : "solve.undecided");
}

/** What ended an undecided search. @param {Limit} limit */
function limitText({ kind, value }) {
  return t(ownKey(`limit.${kind}`, game.state?.game), { value: value === null ? "" : number(value) });
}

/** How far it came. @param {Best} best */
function bestText({ measure, value, target }) {
  const figures = { value: number(value), target: target === null ? "–" : number(target) };
  if (has(`best.${measure}`)) return t(`best.${measure}`, figures);
  const said = t("best", { measure: t(`measure.${measure}`), ...figures });
  return target === null ? said : said + t("best.target", { value: figures.target });
}

/** To make the level easier until it gives enough. @param {Found} result */
function cheatButton({ cheats }) {
  if (!cheats || !game.state?.cheats) return null;
  const ease = () => {
    emit("act");
    for (let i = 0; i < cheats; i++) send({ type: "cheat" });
  };
  return el("button", { type: "button", "data-testid": "solve-cheat", disabled: game.flying, onclick: ease }, icon("cheat"),
    el("span", {}, t("solve.cheat", { cheat: t(ownKey("cheat", game.state.game)), n: number(cheats) })));
}

/** A line on the board: to read, and to play. @param {Found} result @param {Line} line @param {string} key */
function lineOf(result, line, key) {
  const { session, before } = result;
  const name = labelOf(result);
  const play = () => playLine({ session, before, actions: line.actions, name });
  return [clicks(result, line),
    el("button", { type: "button", "data-testid": "solve-play", disabled: game.flying, onclick: play }, icon("play"), el("span", {}, t(key)))];
}

/** @param {Found} result */
function drawResult(result) {
  const { status, ply, expanded, seconds: passed, session, actions, limit, best } = result;
  const facts = [bound(result), t("solve.at", { move: moveWord(game.state?.game), ply: number(ply) }), t("solve.cost", { nodes: shortNumber(expanded), time: seconds(passed) })].filter(Boolean);
  const node = el("article", { class: `result ${status}`, "data-testid": "solve-result", "data-key": result.number, "data-status": status },
    el("p", {}, icon(STATUS_ICONS[status]), el("strong", {}, verdictText(result))),
    limit && !short(result) ? el("p", { "data-testid": "solve-limit" }, limitText(limit)) : null,
    best && !short(result) ? el("p", { "data-testid": "solve-best" }, bestText(best)) : null,
    el("p", { class: "note" }, [labelOf(result), ...facts].join(" · ")));
  if (session !== game.state?.session) return node;
  if (status === "solved" && actions.length) node.append(...lineOf(result, result, "solve.play"));
  if (best?.actions.length && short(result)) node.append(...[cheatButton(result), clicks(result, best)].filter((part) => part !== null));
  else if (best?.actions.length) node.append(...lineOf(result, best, "solve.play.best"));
  return node;
}

function draw() {
  const running = run.solver !== null;
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = $("solve-methods").querySelectorAll("[data-method]");
  for (const button of buttons) {
    button.disabled = running || game.flying || game.state?.standing !== "playing";
    button.classList.toggle("busy", running && button.dataset.method === run.solver);
  }
  show($("solve-cancel"), run.shown);
  show($("solve-progress"), run.shown);
  if (running) drawProgress();
  redraw($("solve-results"), ...run.results.map(drawResult));
}

/** Opens the settings of a method, or closes them. @param {string} name */
function openSettings(name) {
  run.opened = run.opened === name ? null : name;
  fillMethods();
}

function fillMethods() {
  const info = gameInfo();
  if (!info) return;
  show($("solve-panel"), info.solvers.length > 0);
  redraw($("solve-methods"), ...info.solvers.map((method) => methodButton(besideTime(method), "solve", run.opened, "search", start, openSettings)));
  const opened = methodNamed(run.opened);
  showSettings($("solve-settings"), info.name, opened && besideTime(opened));
  const usual = info.solvers.map(usualSeconds);
  $("solve-seconds").placeholder = opened ? String(usualSeconds(opened)) : [...new Set([Math.min(...usual), Math.max(...usual)])].join("–");
  if (game.state) draw();
}

/** A refusal that names a setting stands beside it. @param {ErrorEvent} event */
function onError(event) {
  if (event.request !== "solve") return;
  stop();
  blameSetting($("solve-settings"), event.field, refusalWords(event, gameInfo()));
}

export function mountSolver() {
  on("hello language", fillMethods);
  /** @type {Partial<State>} */
  let shown = {};
  on("state", (state) => {
    if (state.session !== shown.session || state.code !== shown.code) {
      idle();
      run.fewest.clear();
    }
    // After a cheat it is another level, and what was found out is about the old one; but the line that took
    // more than that gave may win now: the server says so.
    if (state.session !== shown.session) run.results = [];
    else if (state.code !== shown.code) run.results = run.results.filter(({ limit }) => limit?.kind === "supply");
    const another = state.game !== shown.game;
    if (another) run.opened = null;
    shown = state;
    if (another) fillMethods();
    else draw();
  });
  on("landed language board", draw);
  on("progress", onProgress);
  on("compiling", () => run.solver === null || drawProgress());
  on("result", onResult);
  on("lamp", onLamp);
  on("error", onError);
  on("connection", (connected) => connected || stop());
  $("solve-cancel").addEventListener("click", () => send({ type: "cancel" }));
}
