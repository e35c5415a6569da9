// The verdict lamp: can the game on the board still be won? Shape and words say it as well as the colour.

import { on } from "../base/bus.js";
import { compiling, drawCompiling } from "../base/compiling.js";
import { lampShows, offerHelp, withheld } from "./daily.js";
import { $, setText, show, sure } from "../base/dom.js";
import { firstUse } from "./first.js";
import { endless, game, lengthVaries, over, verdictNow } from "./game.js";
import { countMoves, has, number, ownKey, seconds, shortNumber, t } from "../base/i18n.js";
import { methodName } from "./methods.js";
import { announce } from "../base/notify.js";
import { change, settings } from "../base/settings.js";
/** @import { Icon } from "../base/dom.js" */
/** @import { Lamp, State } from "../base/messages.js" */
/** @typedef {Lamp["verdict"] | "hidden"} Shown */
/** @type {Record<Shown, Icon>} */
const ICONS = { winnable: "check", lost: "cross", unknown: "question", hidden: "eye-off" };
const TICK = 250;
/** How long a verdict stays on the lamp after a click while the next one is on its way: most come at once. */
const PATIENCE = 120;
let told = "";
/** @type {string | null} */
let session = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let settle;
let heard = 0;
/** The sessions in which values are wanted. @type {Set<string>} */
const asked = new Set();

/** The server says only now and then how long it has searched; in between the page counts on. */
function searched() {
  return (game.lamp?.seconds ?? 0) + (Date.now() - heard) / 1000;
}

/** Of a game that nobody can win: how long it may go on. @returns {[string, string]} */
function outlook() {
  const { lamp } = game;
  const state = sure(game.state);
  if (state.standing === "over") return ["lamp.ended", ""];
  const goal = goalWords();
  if (goal) return goal;
  const { score = null, low = null, high = null, risk = null, risk_low = null, risk_high = null, values = [], by = "", within = null } = lamp?.outlook ?? {};
  const chance = risk_low === null || risk_high === null ? percent(risk ?? 0) : t("lamp.between", { low: percent(risk_low), high: percent(risk_high) });
  const danger = risk === null ? "" : t("lamp.risk", { risk: chance });
  if (score === null && values.length) return ["lamp.compared", danger || t("lamp.compares")];
  if (score === null && lamp?.busy) return ["lamp.busy", danger];
  if (score === null) return [lamp?.searching && !compiling() ? "lamp.looking" : "lamp.endless", danger];
  const player = by && t("lamp.by", { player: methodName(by) });
  const range = low === null || high === null ? "" : t("lamp.range", { low: shortNumber(low), high: shortNumber(high) });
  const words = t(ownKey(within === null ? "lamp.togo" : "lamp.within", state.game), { n: shortNumber(score), within });
  return [words, [range, player, danger].filter(Boolean).join(" · ")];
}

/** With a goal that is not made yet: the chance to make it. @returns {[string, string] | null} */
function goalWords() {
  const goal = game.lamp?.outlook?.goal;
  if (!goal) return null;
  const { share, low, high, games, by } = goal;
  if (share === null && by) return ["lamp.goal.unknown", t("lamp.goal.far", { player: methodName(by) })];
  if (share === null) return [game.lamp?.searching && !compiling() ? "lamp.looking" : "lamp.goal.late", ""];
  if (low === null || high === null) return [t("lamp.goal.exact", { share: percent(share) }), t("lamp.goal.proved")];
  const facts = [t("lamp.range", { low: percent(low), high: percent(high) }), t("lamp.by", { player: methodName(by) }), games === null ? "" : t("lamp.goal.games", { games: number(games) })];
  return [t("lamp.goal", { share: percent(share) }), facts.filter(Boolean).join(" · ")];
}

/** The chance to make the goal with an action; empty where it is not known, or there is none. @param {number} action */
export function chanceOf(action) {
  const { share = null, games = null, values = [] } = game.lamp?.outlook?.goal ?? {};
  const found = values.find(([other]) => other === action);
  return share === null || !found ? "" : t(games === null ? "lamp.goal.exact" : "lamp.goal", { share: percent(found[1]) });
}

/** What the lamp would say of a game that nobody can win, in one line. */
export function lampWords() {
  const [words, small] = outlook();
  return [has(words) ? t(words) : words, small].filter(Boolean).join(" · ");
}

/** What each action is worth, on a board that shows it, to a person who asked for that or for what mistakes cost. */
function drawValues() {
  if (!game.state) return;
  const wanted = asked.has(game.state.session);
  const known = (wanted || game.history.costs.size) && !withheld() && !game.flying ? game.lamp?.outlook : null;
  const chances = known?.goal?.values ?? [];
  const values = chances.length ? chances : (known?.values ?? []);
  game.board?.showValues?.(values.length ? Object.fromEntries(values) : null, wanted, chances.length > 0);
}

/** For this game only. */
export function toggleValues() {
  if (!game.state || !game.board?.showValues) return;
  const { session: one } = game.state;
  if (!asked.delete(one)) asked.add(one);
  drawValues();
}

/** @param {number} share */
export const percent = (share) => (share > 0 && share < 0.001 ? "< 0.1 %" : `${number(Math.round(share * 1000) / 10)} %`);

/** @param {Shown} verdict */
function detail(verdict) {
  const { lamp } = game;
  const state = sure(game.state);
  if (state.standing === "won") return t(ownKey("lamp.done", state.game));
  if (state.standing === "lost") return t("lamp.over");
  if (compiling() && verdict === "unknown") return "";
  if (lamp?.searching && verdict === "unknown") return lamp.busy ? t("lamp.busy") : t("lamp.searching", { time: seconds(searched()) });
  if (verdict === "winnable") return lamp?.remaining ? t(lengthVaries() ? (lamp.optimal ? "lamp.fewest" : "lamp.most") : "lamp.remaining", { moves: countMoves(lamp.remaining, state.game) }) : "";
  if (verdict === "lost") return t("lamp.proved");
  return lamp ? t("lamp.undecided") : "";
}

/** @param {State} state */
function onState(state) {
  heard = Date.now();
  clearTimeout(settle);
  const same = state.session === session;
  session = state.session;
  if (same && state.standing === "playing" && verdictNow() === "unknown") settle = setTimeout(draw, PATIENCE);
  else draw();
}

function onLamp() {
  heard = Date.now();
  clearTimeout(settle);
  draw();
}

function draw() {
  // While the last action still plays itself out, its end is not told.
  if (!game.state || game.flying) return;
  if (endless()) return drawOutlook();
  const hidden = !lampShows() && !over();
  const verdict = hidden ? "hidden" : verdictNow();
  const box = $("lamp");
  box.dataset.verdict = verdict;
  box.dataset.ply = String(game.state.ply);
  box.dataset.searching = String(!hidden && !compiling() && (game.lamp === null || game.lamp.searching) && verdict === "unknown");
  drawPreparing(box);
  $("lamp-icon").setAttribute("href", `#i-${ICONS[verdict]}`);
  setText($("lamp-verdict"), t(game.state.standing === "won" ? "lamp.won" : `lamp.${verdict}`));
  setText($("lamp-detail"), hidden || firstUse() ? "" : detail(verdict));
  show($("lamp-why"), !hidden && verdict === "lost" && game.state.standing === "playing" && game.state.ply > 0 && !game.history.blame);
  $("lamp-toggle").setAttribute("aria-pressed", lampShows());
  $("lamp-eye").setAttribute("href", lampShows() ? "#i-eye" : "#i-eye-off");
  tell(verdict);
}

function drawOutlook() {
  const hidden = !lampShows();
  const [words, small] = hidden ? ["lamp.hidden", ""] : outlook();
  const box = $("lamp");
  box.dataset.verdict = hidden ? "hidden" : "endless";
  box.dataset.ply = String(sure(game.state).ply);
  box.dataset.searching = String(Boolean(!hidden && !compiling() && game.lamp?.searching));
  drawPreparing(box);
  $("lamp-icon").setAttribute("href", hidden ? "#i-eye-off" : "#i-flag");
  setText($("lamp-verdict"), has(words) ? t(words) : words);
  setText($("lamp-detail"), firstUse() ? "" : small);
  show($("lamp-why"), false);
  $("lamp-toggle").setAttribute("aria-pressed", lampShows());
  $("lamp-eye").setAttribute("href", lampShows() ? "#i-eye" : "#i-eye-off");
}

/** A first verdict may be there while what looks further is still being compiled; hints and players wait for it, too.
 *  @param {HTMLElement} box */
function drawPreparing(box) {
  box.dataset.compiling = String(compiling() !== null);
  box.dataset.first = String(Boolean(lampShows() && game.lamp?.first));
  show($("lamp-first"), box.dataset.first === "true");
  drawCompiling($("lamp-compiling"));
}

/** Screen readers hear a verdict when it changes, not the seconds that it took. @param {Shown} verdict */
function tell(verdict) {
  const word = `${game.state?.session}/${verdict}`;
  if (word === told || verdict === "hidden" || (verdict === "unknown" && (!game.lamp || game.lamp.searching || compiling()))) return;
  told = word;
  if (!over()) announce(firstUse() ? t(`lamp.${verdict}`) : `${t(`lamp.${verdict}`)}. ${detail(verdict)}`);
}

export function mountLamp() {
  on("state", onState);
  on("lamp", onLamp);
  setInterval(() => game.lamp?.searching && !document.hidden && draw(), TICK);
  on("compiling", onLamp);
  on("timeline connection settings helped language landed board", draw);
  on("state lamp costs helped landed board", drawValues);
  $("lamp-toggle").addEventListener("click", () => (withheld() ? offerHelp() : change("lamp", !settings.lamp)));
}
