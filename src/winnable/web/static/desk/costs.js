// What moves cost, as a report found it, in words.

import { compilingBox } from "../base/compiling.js";
import { el, sure } from "../base/dom.js";
import { endless, game } from "./game.js";
import { countMoves, number, ownKey, shortNumber, t } from "../base/i18n.js";
import { percent } from "./lamp.js";
import { methodName } from "./methods.js";
/** @import { CostInfo, Costs, Timeline } from "../base/messages.js" */
/** @typedef {Pick<CostInfo, "cost" | "value">} Cost */

/** @param {number} cost */
const figure = (cost) => (cost >= 10_000 ? shortNumber(cost) : number(cost >= 10 ? Math.round(cost) : Number(cost.toPrecision(2))));
/** @param {string} name */
export const action = (name) => game.board?.describe(name) ?? name;

/** Of all that was still to come. @param {Cost} cost */
function share({ cost, value }) {
  const percent = (100 * cost) / value;
  return `${percent > 0 && percent < 0.1 ? "< 0.1" : number(Number(percent.toFixed(percent < 10 ? 1 : 0)))} %`;
}

/** Of a percent, that a chance is less. @param {Cost} entry */
const points = ({ cost }) => number(Number((100 * cost).toPrecision(2)));

/** What was lost: in what the game counts, where it is that, and as a share. @param {Cost} entry */
function loss(entry) {
  if (!endless()) return t("costs.loss.moves", { moves: countMoves(entry.cost, game.state?.game) });
  if (game.history.weighed.chances) return t("costs.loss.chance", { n: points(entry), from: percent(entry.value), to: percent(entry.value - entry.cost) });
  if (!(entry.value > 0)) return figure(entry.cost);
  const lost = { n: figure(entry.cost), share: share(entry) };
  return game.history.weighed.rewards ? t("costs.loss", lost) : t("costs.loss.share", lost);
}

/** What the numbers are. */
function about() {
  const { by, rewards, chances } = game.history.weighed;
  return t(ownKey(rewards ? "costs.about" : chances ? "costs.about.chance" : "costs.about.share", game.state?.game), { player: by ? methodName(by) : t("costs.strong") });
}

/** What the action after this ply cost; empty where that is nothing, or not known. @param {number} ply */
export function costWords(ply) {
  const entry = game.history.costs.get(ply);
  if (!entry?.cost) return "";
  const { name, best } = entry;
  return t("costs.move", { place: t("timeline.move", { ply: number(ply + 1) }), name: action(name), cost: loss(entry), best: action(best) });
}

/** The report, as far as it has come. @param {Timeline | Costs | null} report */
export function costReport(report) {
  const { costs, worst } = game.history;
  const { length } = sure(game.state);
  const looked = { n: number(costs.size), length: number(length) };
  if (!report?.done) return [el("p", { class: "busy-line" }, t("costs.searching", looked)), compilingBox()];
  const { limit } = /** @type {Costs} */ (report);
  const nothing = limit ? `costs.nothing.${limit}` : "costs.unknown";
  const words = t(worst.length ? "costs.found" : costs.size ? "costs.none" : nothing);
  const part = costs.size && costs.size < length ? [el("p", { class: "note", "data-testid": "costs-part" }, t(limit ? `costs.part.${limit}` : "costs.part", looked))] : [];
  return [el("p", { "data-testid": "report-text" }, el("strong", {}, words)), ...(worst.length ? [el("p", { class: "note", "data-testid": "costs-about" }, about())] : []), ...part];
}

/** Where there is little room, the share alone. @param {Cost} entry */
export function shortLoss(entry) {
  if (!endless()) return [`+${number(entry.cost)}`];
  if (game.history.weighed.chances) return [`${percent(entry.value)} → ${percent(entry.value - entry.cost)}`];
  if (!(entry.value > 0)) return [`−${figure(entry.cost)}`];
  const score = game.history.weighed.rewards ? [el("span", {}, t("costs.rewards", { n: figure(entry.cost) }))] : [];
  return [...score, `−${share(entry)}`];
}
