// A game that was played, looked at again: the moves that mattered most, its course as a graph, and all its moves.

import { action, costWords, shortLoss } from "./costs.js";
import { el, svg } from "../base/dom.js";
import { endless, game, goTo } from "./game.js";
import { number, t } from "../base/i18n.js";
/** @import { Review } from "../base/messages.js" */

const WIDTH = 320, HEIGHT = 96, EDGE = 6;
/** Of a longer game only the moves with a mark are listed. */
const MOST_LISTED = 500;

/** What is to be seen of the review of the game on the board; nothing before it is there. */
export function reviewParts() {
  const { review } = game.history;
  return review ? [turningPoints(review), graph(review), moves(review)].filter((part) => part !== null) : [];
}

/** The position before the next move that mattered, from the one on the board on; the worst comes first. */
export function nextTurning() {
  const turning = game.history.review?.turning ?? [];
  if (turning.length) goTo(turning[(turning.indexOf(game.state?.ply ?? -1) + 1) % turning.length]);
}

/** Whether it is the action after this ply that lost the game. @param {number} ply */
function lost(ply) {
  const { blame } = game.history;
  return blame?.first === ply && blame.last === ply;
}

/** How many of the actions still won before the action after this ply, and how many after it.
 *  @param {number} ply */
function room(ply) {
  const found = game.history.review?.narrowings.find((narrowing) => narrowing.ply === ply);
  return found && t("review.room", { wins: number(found.before.wins), legal: number(found.before.legal), wins_after: number(found.after.wins), legal_after: number(found.after.legal) });
}

/** In words what the action after the ply did. @param {number} ply @param {string} name */
function said(ply, name) {
  const left = room(ply);
  if (left) return t("review.narrowed", { place: t("timeline.move", { ply: number(ply + 1) }), name: action(name), room: left });
  return costWords(ply) || t(lost(ply) ? "review.lost" : "review.move", { place: t("timeline.move", { ply: number(ply + 1) }), name: action(name) });
}

/** @param {Review} review */
function turningPoints({ turning, names, narrowings }) {
  if (!turning.length) return null;
  const entries = turning.map((ply) => {
    const cost = game.history.costs.get(ply);
    const name = action(names[ply]);
    const words = cost ? t("costs.entry", { name, best: action(cost.best) }) : name;
    const figures = cost ? shortLoss(cost) : [room(ply) ?? t("review.lost.short")];
    return el("li", {}, el("button", { type: "button", "data-testid": "turning", "data-ply": ply, "aria-current": ply === game.state?.ply ? "true" : null, title: said(ply, names[ply]), onclick: () => goTo(ply) },
      el("b", {}, number(ply + 1)), el("span", {}, words), el("small", {}, ...figures)));
  });
  const list = el("ol", { class: "turning-list" }, ...entries);
  return narrowings.length ? el("div", {}, list, el("p", { class: "note", "data-testid": "review-room" }, t("review.room.about"))) : list;
}

/** The figure of each state, coloured by what is known of it; what is lost lies above all. The moves that mattered are
 *  marked. @param {Review} review */
function graph({ course, measure, turning }) {
  const known = course.filter((figure) => figure !== null);
  if (known.length < 2) return null;
  const least = measure === "expected" ? Math.min(...known) : 0;
  const most = Math.max(...known);
  /** @param {number} ply */
  const x = (ply) => EDGE + ((WIDTH - 2 * EDGE) * ply) / Math.max(1, course.length - 1);
  /** @param {number} ply */
  const y = (ply) => {
    const figure = course[ply];
    if (figure === null) return game.history.verdict(ply) === "lost" ? EDGE : null;
    return HEIGHT - EDGE - ((HEIGHT - 3 * EDGE) * (figure - least)) / (most - least || 1);
  };
  const lines = course.slice(1).flatMap((_, i) => {
    const [from, to] = [y(i), y(i + 1)];
    const tone = endless() ? "calm" : game.history.verdict(i + 1);
    return from === null || to === null ? [] : [svg("path", { class: `course ${tone}`, d: `M${x(i)} ${from}L${x(i + 1)} ${to}` })];
  });
  const marks = turning.map((ply) => svg("path", { class: "turn", d: `M${x(ply)} ${y(ply) ?? EDGE}h0.01` }));
  const here = svg("path", { class: "here", d: `M${x(game.state?.ply ?? 0)} 0V${HEIGHT}` });
  const label = t(`review.${measure}`);
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label, onclick: (/** @type {MouseEvent} */ event) => goTo(at(event, course.length - 1)) }, here, ...lines, ...marks);
  return el("figure", { class: "course-graph", "data-testid": "review-graph" }, el("figcaption", { class: "note" }, label), picture);
}

/** @param {MouseEvent} event @param {number} length */
function at(event, length) {
  const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
  return Math.max(0, Math.min(length, Math.round(((event.clientX - box.x) / box.width) * length)));
}

/** @param {Review} review */
function moves({ names, turning }) {
  const marked = (/** @type {number} */ ply) => lost(ply) || turning.includes(ply) || Boolean(game.history.costs.get(ply)?.cost && names.length <= MOST_LISTED);
  const mark = (/** @type {number} */ ply) => (lost(ply) ? "??" : turning.includes(ply) ? "?" : marked(ply) ? "?!" : "");
  const listed = names.map((name, ply) => ({ name, ply })).filter(({ ply }) => names.length <= MOST_LISTED || marked(ply));
  const entries = listed.map(({ name, ply }) =>
    el("li", { value: ply + 1 }, el("button", { class: "quiet", type: "button", "data-mark": mark(ply) || null, "aria-current": ply === (game.state?.ply ?? 0) - 1 ? "true" : null, "aria-label": said(ply, name), onclick: () => goTo(ply + 1) }, `${action(name)} ${mark(ply)}`)));
  const title = t(listed.length < names.length ? "review.moves.marked" : "review.moves", { n: number(names.length) });
  return el("details", { class: "move-list", "data-testid": "review-moves" }, el("summary", {}, title), el("ol", {}, ...entries));
}
