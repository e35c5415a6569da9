// Hints, a rung of a ladder at each press: there is still a way; look here; this action; the line. A new position
// begins below again. What a rung says, the server knows.

import { on } from "../base/bus.js";
import { $, el, icon, setText, svg } from "../base/dom.js";
import { lampShows, offerHelp, withheld } from "./daily.js";
import { game, gameInfo, endless, over, send } from "./game.js";
import { number, t } from "../base/i18n.js";
import { chanceOf, lampWords } from "./lamp.js";
import { announce } from "../base/notify.js";
import { hush, say } from "./note.js";
import { change, settings } from "../base/settings.js";
import { chosenMethod, playLine } from "./watch.js";
/** @import { Area, Hint, HintEvent } from "../base/messages.js" */
/** @typedef {Hint["rung"]} Rung */

/** Of a line so many actions are named at a press. */
const MOST_NAMES = 5;
/** named: how many actions of the line. climbed: the rungs that were given for the position on the board. early: the answer, while the board is still being
 *  loaded. told: what the note is drawn from. */
const ladder = {
  climbed: /** @type {Set<Rung>} */ (new Set()),
  waiting: false,
  named: MOST_NAMES,
  early: /** @type {HintEvent | null} */ (null),
  told: /** @type {HintEvent | null} */ (null),
};

/** Those that make sense here, the lowest first: nothing that the lamp tells already. @returns {Rung[]} */
function rungs() {
  if (settings.hintAtOnce) return ["action"];
  const own = !$("hint-by").checked;
  return [
    ...(own && !lampShows() ? /** @type {Rung[]} */ (["verdict"]) : []),
    ...(gameInfo()?.points ? /** @type {Rung[]} */ (["area"]) : []),
    "action",
    ...(own && !endless() ? /** @type {Rung[]} */ (["line"]) : []),
  ];
}

/** The one that the next press gives; the highest again and again. @returns {Rung} */
function nextRung() {
  const all = rungs();
  return all.find((rung) => !ladder.climbed.has(rung)) ?? all[all.length - 1];
}

export function hint(rung = nextRung()) {
  if (!game.state || over() || ladder.waiting || game.flying) return;
  if (withheld() && game.state.card !== "open") return offerHelp();
  if (rung === "verdict" && endless()) return tellWorth();
  if (rung === "line" && ladder.climbed.has(rung) && ladder.told?.names.length) return tellMore(ladder.told);
  const by = $("hint-by").checked ? chosenMethod() : null;
  wait(send({ type: "hint", rung, ...by }));
}

/** The line has been told: a few more of its actions, until that is all. @param {HintEvent} told */
function tellMore(told) {
  if (toldAll()) return announce(t("hint.all"));
  ladder.named += MOST_NAMES;
  onHint(told);
}

/** Whether nothing is left that a press could tell. */
const toldAll = () => ladder.climbed.has("line") && ladder.told !== null && ladder.named >= ladder.told.names.length;

/** @param {boolean} waiting */
function wait(waiting) {
  ladder.waiting = waiting;
  $("hint").classList.toggle("busy", waiting);
  $("hint").setAttribute("aria-busy", waiting);
}

/** An action that a report knows: a hint like any other. @param {number} action */
export function pointTo(action) {
  if (withheld()) offerHelp();
  else if (send({ type: "help" })) point(action);
}

/** What a game that nobody can win is worth here is all its verdict. */
function tellWorth() {
  ladder.climbed.add("verdict");
  say(lampWords());
  drawButton();
}

/** @param {HintEvent} answer */
function onHint(answer) {
  const { session, ply, rung } = answer;
  wait(false);
  ladder.early = game.board ? null : answer;
  if (!game.board || session !== game.state?.session || ply !== game.state.ply) return;
  if (answer.found) ladder.climbed.add(rung);
  ladder.told = answer;
  if (answer.area) drawArea(answer.area);
  const action = answer.line.length ? answer.line[0] : answer.action;
  if (action !== null) point(action);
  say(words(answer), ...(answer.line.length ? [playButton(answer)] : []));
  drawButton();
}

/** @param {number} action */
function point(action) {
  drawArea(null);
  game.board?.highlight(action);
  $("extras").querySelector(`[data-action="${Number(action)}"]`)?.classList.add("hinted");
}

/** @param {HintEvent} answer */
function words({ found, verdict, area, action, name, names }) {
  const describe = (/** @type {string} */ one) => game.board?.describe(one) ?? one;
  if (!found) return t(verdict === "lost" ? "hint.lost" : "hint.none");
  if (area) return t("hint.area", { area: t(`area.${area.name}`, area.values) });
  const chance = action === null ? "" : chanceOf(action);
  const located = game.board?.locate?.(name) ?? describe(name);
  if (chance) return t("hint.this.chance", { name: t("hint.this", { name: located }), chance });
  if (action !== null) return t("hint.this", { name: located });
  if (!names.length) return t("hint.way");
  const rest = names.length - ladder.named;
  const listed = names.slice(0, ladder.named).map(describe).join(t("list.then"));
  return t(rest > 0 ? "hint.line.more" : "hint.line", { names: listed, n: number(rest) });
}

/** @param {HintEvent} answer */
function playButton({ session, line }) {
  const before = game.history.actions.slice(0, game.state?.ply);
  return el("button", { type: "button", "data-testid": "hint-play", onclick: () => playLine({ session, before, actions: line, name: t("toolbar.hint") }) },
    icon("play"), el("span", {}, t("solve.play")));
}

/** A frame in the units of the board's drawing. @param {Area | null} area */
function drawArea(area) {
  for (const old of document.querySelectorAll("#stage .look-here")) old.remove();
  const board = /** @type {SVGSVGElement | null} */ (document.querySelector("#stage svg.board"));
  if (!board || !area || area.left === null) return;
  const { x, y, width, height } = board.viewBox.baseVal;
  const { left, top, right, bottom } = { left: area.left, top: area.top ?? y, right: area.right ?? x + width, bottom: area.bottom ?? y + height };
  board.append(svg("rect", { class: "look-here", "data-testid": "look-here", "aria-hidden": "true", x: left, y: top, width: right - left, height: bottom - top }));
}

function beginAgain() {
  ladder.climbed.clear();
  Object.assign(ladder, { told: null, named: MOST_NAMES });
  wait(false);
  drawArea(null);
  hush();
  drawButton();
}

function drawButton() {
  const { size } = ladder.climbed;
  $("hint").disabled = over() || game.flying;
  const next = toldAll() ? "hint.all" : ladder.climbed.has("line") ? "hint.next.more" : `hint.next.${nextRung()}`;
  setText($("hint-label"), t(withheld() ? "hint.off" : size && !settings.hintAtOnce ? next : "toolbar.hint"));
}

export function mountHint() {
  on("state", beginAgain);
  on("board language landed settings lamp helped", drawButton);
  on("language", () => ladder.told && onHint(ladder.told));
  on("error connection", () => wait(false));
  on("hint", onHint);
  on("board", () => ladder.early && onHint(ladder.early));
  $("hint").addEventListener("click", () => hint());
  $("hint-by").addEventListener("change", drawButton);
  $("hint-at-once").checked = settings.hintAtOnce;
  $("hint-at-once").addEventListener("change", () => change("hintAtOnce", $("hint-at-once").checked));
}
