// The card after a win or a loss. A win's stands on the cleared board; a loss's stands beside or below it,
// because the board is what one wants to look at then.

import { media } from "../base/browser.js";
import { on } from "../base/bus.js";
import { compilingBox } from "../base/compiling.js";
import { action, costReport, costWords } from "./costs.js";
import { $, el, icon, redraw, sure } from "../base/dom.js";
import { endless, game, gameInfo, goTo, over, send, verdictNow } from "./game.js";
import { hint, pointTo } from "./hint.js";
import { clock, countMoves, moveWord, number, ownKey, t } from "../base/i18n.js";
import { levelAfter, startLevel } from "./levels.js";
import { openNew, startText } from "./newgame.js";
import { announce } from "../base/notify.js";
import { playSeconds } from "./playtime.js";
import { isWhole, narrowing, nextTurning, reviewParts, roomNumbers, slip } from "./review.js";
import { resultButtons } from "./result.js";
import { shortest } from "./share.js";
import { keepStars, showStars, starRow } from "./stars.js";
import { showTab } from "./tabs.js";
/** @import { Icon } from "../base/dom.js" */
/** @import { Costs, State, Timeline } from "../base/messages.js" */

/** closed: the person put the card away for this end. asked: a report was asked for, or came. renewing: the game has
 *  gone on since, and it is asked for once more. */
const card = {
  session: /** @type {string | null} */ (null),
  code: /** @type {string | null} */ (null),
  ply: /** @type {number | null} */ (null),
  closed: false,
  untold: false,
  asked: false,
  renewing: false,
  report: /** @type {Timeline | Costs | null} */ (null),
};

export function askReport() {
  if (!send({ type: "report" })) return;
  Object.assign(card, { asked: true, closed: false, renewing: false, report: null });
  draw();
}

/** A report that the game has outgrown. What is known of the losing move stays as it is meanwhile. */
function renew() {
  if (!card.asked || card.closed || card.renewing || !card.report?.done || isWhole() || !send({ type: "report" })) return;
  Object.assign(card, { renewing: true, report: game.history.blame ? card.report : null });
}

/** By one key: the review, then the moves that mattered, one after the other. */
export function review() {
  if (card.asked && !card.closed) nextTurning();
  else if (over() || verdictNow() === "lost") askReport();
}

/** @param {string} testid @param {string} key @param {() => unknown} onclick @param {Icon | null} [picture] */
const button = (testid, key, onclick, picture = null, kind = "") =>
  el("button", { type: "button", class: kind, "data-testid": testid, onclick }, picture && icon(picture), el("span", {}, t(key)));

/** The next board of an endless game, the next shipped level, or the next seed of the same parameters. */
function nextLevel() {
  const { level_id: id, follows } = sure(game.state);
  const [, head, seed] = /^(\w+:[^#]*#)(\d+)\+?$/.exec(id) ?? [];
  const after = levelAfter(sure(gameInfo()).levels, id);
  if (follows) send({ type: "next" });
  else if (head) startText(`${head}${Number(seed) + 1}`);
  else if (after) startLevel(after.name);
  else openNew();
}

const CONFETTI = 14;

function medal() {
  const pieces = Array.from({ length: CONFETTI }, () => el("i", {}));
  return el("div", { class: "medal", "aria-hidden": "true" }, ...pieces, el("img", { src: "static/icon.svg", alt: "", width: 84, height: 84 }));
}

/** @param {State} state */
function won(state) {
  const { session, ply, game: name, follows } = state;
  return [
    medal(),
    el("h2", {}, t(ownKey("won.title", name))),
    ...(state.helped ? [el("p", { class: "note", "data-testid": "card-helped" }, t(starsNow() === null ? "won.helped" : "won.helped.stars"))] : earnedStars()),
    el("p", {}, t("won.facts", { moves: countMoves(ply, name), time: clock(playSeconds(session)) })),
    el("div", { class: "buttons" }, button("card-next", follows ? "card.next.board" : "card.next", nextLevel, "plus", "primary"), button("card-again", "card.again", again, "restart")),
    ...(card.asked ? [el("div", { class: "report", "data-testid": "report-box" }, ...report(state), ...reviewParts())] : [el("div", { class: "buttons" }, button("report", "review.ask", askReport, "flag"))]),
    el("div", { class: "buttons" }, ...resultButtons(state.helped ? null : starsNow())),
  ];
}

/** A game that had help begins anew: then it may earn stars. */
function again() {
  const state = sure(game.state);
  if (state.helped) send({ type: "new", level: shortest(state), game: state.game });
  else goTo(0);
}

/** How many stars the game on the board earned; null when nobody can tell. */
const starsNow = () => (game.state && game.board?.stars?.(game.state.view, game.state.ply, game.par)) ?? null;

function earnedStars() {
  const stars = starsNow();
  if (stars === null) return [];
  const row = starRow("card-stars");
  showStars(row, stars);
  return [row];
}

/** How long the game was and, where the game says it, how much of the level was done. @param {State} state */
function endFacts({ ply, game: name, completion }) {
  const told = t("lost.facts", { moves: countMoves(ply, name) });
  return completion === null ? told : `${t("lost.completion", { share: number(Math.round(completion * 1000) / 10) })} ${told}`;
}

/** @param {State} state */
function lost(state) {
  const ended = state.standing === "lost";
  const heading = ended ? ownKey("lost.title", state.game) : verdictNow() === "winnable" ? "lost.winnable" : "lost.already";
  const facts = ended && !card.asked ? [el("p", { class: "facts" }, endFacts(state))] : [];
  const ask = card.asked ? [] : [button("report", "report.ask", askReport, "flag", "primary")];
  const back = ended ? [button("card-undo", "card.undo", () => goTo(state.ply - 1), "undo"), button("card-again", "card.again", () => goTo(0), "restart")] : [];
  return [
    // What was asked for is the news: it takes the heading's place.
    ...(card.asked && card.report?.done && ended ? [] : [el("h2", {}, t(heading))]),
    ...facts,
    ...(card.asked ? [el("div", { class: "report", "data-testid": "report-box" }, ...report(state), ...reviewParts())] : []),
    el("div", { class: "buttons" }, ...ask, ...jump(state), ...show(state), ...back, ...mend(), ...(ended ? resultButtons(null) : [])),
  ];
}

/** To where the level can be changed so that it can be won, in a game that can: not if it could be won as it was. */
function mend() {
  if (!sure(gameInfo()).repairs.length || game.history.known.winnable >= 0) return [];
  const show = () => {
    showTab("help");
    $("repair-panel").scrollIntoView({ block: "center" });
    sure($("repair-methods").querySelector("button")).focus();
  };
  return [button("card-repair", "card.repair", show, "tool-shuffle")];
}

/** To the position before the move that the report names; before the losing one, the better move. @param {State} state */
function jump(state) {
  const { blame } = game.history;
  if (!card.report?.done || !blame) return [];
  if (state.ply === blame.first) return [button("report-hint", "report.hint", () => hint("action"), "hint", "primary")];
  const turned = slip();
  const ply = turned?.ply ?? blame.first;
  const better = turned?.better ?? null;
  if (state.ply === ply && better !== null) return [button("report-hint", "report.hint", () => pointTo(better), "hint", "primary")];
  return [button("report-goto", "report.goto", () => goTo(ply), "undo", "primary")];
}

/** Whether the line on the board ends with a win. @param {State} state */
const kept = ({ length }) => game.history.known.winnable >= length;

/** To the position that the reason is about. @param {State} state */
function show(state) {
  const ply = reason()?.ply;
  return ply === undefined || ply === state.ply ? [] : [button("report-reason-goto", "report.reason.goto", () => goTo(ply), "flag")];
}

/** The answer in words, as far as it has come. @param {State} state */
function report(state) {
  const { blame } = game.history;
  const move = moveWord(state.game);
  if (!card.report?.done && kept(state)) return [el("p", { class: "busy-line" }, t("review.searching")), compilingBox()];
  if (!card.report?.done) {
    const range = blame && blame.first < blame.last ? t("report.between", { move, first: number(blame.first + 1), last: number(blame.last + 1) }) : "";
    return [el("p", { class: "busy-line" }, `${t("report.searching", { move })} ${range}`), compilingBox()];
  }
  if (!blame && kept(state)) return [el("p", { "data-testid": "report-text" }, el("strong", {}, t(wonHow())))];
  if (!blame) {
    const { known, cancelled } = /** @type {Timeline} */ (card.report);
    const key = known.lost === 0 ? "report.never" : cancelled ? "report.cancelled" : "report.unknown";
    return [el("p", { "data-testid": "report-text" }, t(key, { move })), ...reasonWords()];
  }
  const [text, more] = blamed(state, blame);
  return [el("p", { "data-testid": "report-text" }, el("strong", {}, text), more && ` ${more}`), ...reasonWords()];
}

/** Which move lost the game, and how much room there was before. Where hardly any other would have kept it, that is no
 *  news: then it is the one that left so few. @param {State} state @param {{ first: number, last: number, name: string }} blame */
function blamed(state, { first, last, name }) {
  const values = { move: moveWord(state.game), first: number(first + 1), last: number(last + 1), name: action(name) };
  const turned = slip();
  if (turned) {
    const slipped = { ...values, ...roomNumbers(turned), ply: number(turned.ply + 1), name: action(game.history.review?.names[turned.ply] ?? "") };
    return [t("report.slip", slipped), t("report.slip.room", slipped)];
  }
  const room = narrowing(first);
  const before = room ? t("report.room", roomNumbers(room)) : "";
  return [t(first === last ? "report.exact" : "report.range", values), before];
}

function wonHow() {
  if (game.history.worst.length) return "review.won.detours";
  return game.history.review?.narrowings.length ? "review.won.narrow" : "review.won";
}

/** Why the position after the losing action is lost, and which ply that is; null when no report says it. */
function reason() {
  const report = card.asked && !endless() ? /** @type {Timeline | null} */ (card.report) : null;
  const ply = report?.known.lost ?? null;
  return report?.reason && ply !== null ? { ...report.reason, ply } : null;
}

function reasonWords() {
  const found = reason();
  if (!found) return [];
  const values = Object.fromEntries(Object.entries(found.values).map(([name, value]) => [name, number(value)]));
  return [el("p", { "data-testid": "report-reason" }, t(`reason.${found.why}`, values))];
}

/** What the reason names is marked as long as the board shows the position that it is about. */
function markReason() {
  const found = kind() && reason();
  game.board?.mark?.(found && found.ply === game.state?.ply ? found.marked : []);
}

/** @param {State} state */
const endTitle = ({ view }) => game.board?.endTitle?.(view) ?? t("over.title");

/** What a game without a goal came to. @param {State} state */
const endResult = ({ view }) => game.board?.result?.(view) ?? "";

/** The end of a game that nobody wins, and what its actions cost. @param {State} state */
function ended(state) {
  const report = card.asked ? [el("div", { class: "report", "data-testid": "report-box" }, ...costReport(card.report), ...reviewParts())] : [];
  if (state.standing === "playing") return report;
  const ask = sure(gameInfo()).weighs && !card.asked ? [button("report", "costs.ask", askReport, "flag", "ask")] : [];
  return [
    el("h2", {}, endTitle(state)),
    el("p", { "data-testid": "card-result" }, endResult(state)),
    ...report,
    el("div", { class: "buttons" }, button("card-next", "card.next", nextLevel, "plus", "primary"), ...ask, button("card-undo", "card.undo", () => goTo(state.ply - 1), "undo"), button("card-again", "card.again", () => goTo(0), "restart"), ...resultButtons(null)),
  ];
}

function kind() {
  const { state } = game;
  if (!state || card.closed || game.flying) return null;
  if (state.standing !== "playing") return state.standing;
  return card.asked ? "report" : null;
}

function draw() {
  markReason();
  const shown = kind();
  const slots = { won: $("card-won"), lost: $("card-lost") };
  const places = [...Object.values(slots), $("card-side")];
  if (!shown || !game.board || !game.state) {
    for (const place of places) place.replaceChildren();
    return;
  }
  const close = el("button", { class: "quiet square close", type: "button", "data-testid": "card-close", "aria-label": t("card.close"), title: t("card.close"), onclick: () => { card.closed = true; draw(); } }, icon("cross"));
  const testid = `card-${shown}`;
  const node = el("section", { class: `card ${shown}`, "data-key": "card", "data-verdict": endless() ? "endless" : verdictNow(), "data-testid": testid, "aria-label": t("card.label") }, close, ...(shown === "won" ? won : endless() ? ended : lost)(game.state));
  const wide = media("(min-width: 960px)").matches;
  const chosen = shown === "won" ? slots.won : wide ? $("card-side") : slots.lost;
  for (const place of places) redraw(place, place === chosen ? node : null);
}

/** Once the board is there, and again when the par became known. */
function rememberStars() {
  if (game.state?.standing === "won" && game.board && !game.flying) keepStars(game.state.level_id, game.state.helped ? 0 : starsNow(), sure(gameInfo()).levels);
}

/** @param {State} state */
function onState(state) {
  // After a cheat a report would be about the level before it.
  if (state.session !== card.session || state.code !== card.code) Object.assign(card, { asked: false, renewing: false, report: null });
  // A report stays while one walks through the game it is about, and goes with it.
  const gone = endless() ? card.report?.line !== state.line : !game.history.blame && !game.history.review;
  if (gone && card.report?.done) Object.assign(card, { asked: false, renewing: false, report: null });
  const moved = state.session !== card.session || state.ply !== card.ply;
  if (moved && over()) {
    card.closed = false;
    card.untold = true;
  }
  Object.assign(card, { session: state.session, code: state.code, ply: state.ply });
  renew();
  rememberStars();
  draw();
}

/** Screen readers hear how the game ended when the last action has played itself out, as the card shows it. */
function tellEnd() {
  const { state } = game;
  if (!card.untold || game.flying || !state || !over()) return;
  card.untold = false;
  const { game: name, standing, ply } = state;
  if (standing === "over") announce([endTitle(state), endResult(state)].filter(Boolean).join(" · "));
  else announce(t(standing === "won" ? "live.won" : ownKey("live.lost", name), { moves: countMoves(ply, name) }));
}

/** A `timeline`, or `costs`. @param {Timeline | Costs} report */
function onReport(report) {
  if (report.session !== game.state?.session || !card.asked) return;
  if (report.type === "costs" && !endless()) return; // the timeline is the report there
  // About another branch than the one on the board: it is of no use here.
  const elsewhere = report.line !== game.state.line;
  if (!report.done && (elsewhere || card.renewing)) return;
  Object.assign(card, elsewhere ? { asked: false, report: null } : { report }, report.done ? { renewing: false } : {});
  if (report.done) renew(); // the game may have gone on while it was looked into
  draw();
  const text = document.querySelector("[data-testid=report-text]")?.textContent;
  if (report.done && text) announce([text, costWords(game.history.worst[0])].filter(Boolean).join(" "));
}

export function mountCard() {
  on("state", onState);
  on("timeline costs", onReport);
  on("board verdicts language landed par", draw);
  on("compiling", () => card.asked && !card.report?.done && draw());
  on("board landed par", rememberStars);
  on("told", tellEnd);
  on("error", ({ request }) => {
    if (request !== "report") return;
    card.asked = false;
    draw();
  });
  on("connection", (connected) => {
    if (connected || card.report?.done) return;
    card.asked = false;
    draw();
  });
  $("lamp-why").addEventListener("click", askReport);
  media("(min-width: 960px)").onChange(draw);
}
