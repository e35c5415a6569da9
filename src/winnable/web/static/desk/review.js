// A game that was played, looked at again: the moves that mattered most, its course as a graph, and all its moves.

import { action, costWords, shortLoss } from "./costs.js";
import { el, svg } from "../base/dom.js";
import { endless, game, goTo } from "./game.js";
import { number, t } from "../base/i18n.js";
/** @import { Narrowing, Review } from "../base/messages.js" */

const WIDTH = 320, HEIGHT = 96, EDGE = 6;
/** Of a longer game only the moves with a mark are listed. */
const MOST_LISTED = 500;

/** What is to be seen of the review of the game on the board; nothing before it is there. */
export function reviewParts() {
  const { review } = game.history;
  return review ? [turningPoints(review), graph(review), isWhole() ? moves(review) : null].filter((part) => part !== null) : [];
}

/** Whether the review is about all that was played; the game may have gone on since. */
export const isWhole = () => game.history.review !== null && game.history.reviewed === game.state?.length;

/** What the move after the ply did to the room, if the review tells. @param {number} ply */
export const narrowing = (ply) => game.history.review?.narrowings.find((one) => one.ply === ply);

/** The move that as good as lost the game, where the one that lost it says little. */
export function slip() {
  const worst = narrowing(game.history.review?.turning[0] ?? -1);
  return worst?.after.wins && game.history.blame ? worst : null;
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

/** The numbers of a narrowing, for words. @param {Narrowing} narrowing */
export const roomNumbers = ({ before, after }) => ({ wins: number(before.wins), legal: number(before.legal), wins_after: number(after.wins), legal_after: number(after.legal) });

/** How many of the moves still won before the one after this ply, and how many after it; not of one that lost the game.
 *  @param {number} ply */
function room(ply) {
  const found = narrowing(ply);
  return found?.after.wins ? t("review.room", roomNumbers(found)) : undefined;
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
    return el("li", { "data-key": ply }, el("button", { type: "button", "data-testid": "turning", "data-ply": ply, "aria-current": ply === game.state?.ply ? "true" : null, title: said(ply, names[ply]), onclick: () => goTo(ply) },
      el("b", {}, number(ply + 1)), el("span", {}, words), el("small", {}, ...figures)));
  });
  const list = el("ol", { class: "turning-list" }, ...entries);
  // A report that names the slip has said it.
  const example = slip() ? undefined : narrowings.find(({ ply, after }) => after.wins && turning.includes(ply));
  return example ? el("div", {}, list, el("p", { class: "note", "data-testid": "review-room" }, t("review.room.about", { room: room(example.ply), ...roomNumbers(example) }))) : list;
}

/** The figure of each state, coloured by what is known of it; what is lost lies above all. The moves that mattered are
 *  marked. @param {Review} review */
function graph({ course, measure, turning }) {
  const known = course.filter((figure) => figure !== null);
  if (!known.length) return game.history.known.winnable < 0 ? null : el("p", { class: "note", "data-testid": "review-no-course" }, t("review.late"));
  const least = measure === "expected" ? Math.min(...known) : 0;
  const most = Math.max(...known);
  const end = Math.max(course.length - 1, game.state?.length ?? 0);
  /** @param {number} ply */
  const x = (ply) => EDGE + ((WIDTH - 2 * EDGE) * ply) / Math.max(1, end);
  /** @param {number} ply */
  const y = (ply) => {
    const figure = course[ply] ?? null;
    if (figure === null) return game.history.verdict(ply) === "lost" ? EDGE : null;
    return HEIGHT - EDGE - ((HEIGHT - 3 * EDGE) * (figure - least)) / (most - least || 1);
  };
  const lines = Array.from({ length: end }, (_, i) => {
    const [from, to] = [y(i), y(i + 1)];
    const tone = endless() ? "calm" : game.history.verdict(i + 1);
    return from === null || to === null ? [] : [svg("path", { class: `course ${tone}`, d: `M${x(i)} ${from}L${x(i + 1)} ${to}` })];
  }).flat();
  const marks = turning.map((ply) => svg("path", { class: "turn", d: `M${x(ply)} ${y(ply) ?? EDGE}h0.01` }));
  const here = svg("path", { class: "here", d: `M${x(game.state?.ply ?? 0)} 0V${HEIGHT}` });
  const label = t(`review.${measure}`);
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label, onclick: (/** @type {MouseEvent} */ event) => goTo(at(event, end)) }, here, ...lines, ...marks);
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
    el("li", { "data-key": ply, value: ply + 1 }, el("button", { class: "quiet", type: "button", "data-mark": mark(ply) || null, "aria-current": ply === (game.state?.ply ?? 0) - 1 ? "true" : null, "aria-label": said(ply, name), onclick: () => goTo(ply + 1) }, `${action(name)} ${mark(ply)}`)));
  const title = t(listed.length < names.length ? "review.moves.marked" : "review.moves", { n: number(names.length) });
  return el("details", { class: "move-list", "data-testid": "review-moves" }, el("summary", {}, title), el("ol", {}, ...entries));
}
