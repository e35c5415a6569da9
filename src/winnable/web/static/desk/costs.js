// What the moves of a game without a goal cost, as a report found it: in words, and as a list of the worst.

import { compilingBox } from "../base/compiling.js";
import { el } from "../base/dom.js";
import { game, goTo } from "./game.js";
import { number, ownKey, shortNumber, t } from "../base/i18n.js";
import { methodName } from "./methods.js";

const figure = (cost) => (cost >= 10_000 ? shortNumber(cost) : number(cost >= 10 ? Math.round(cost) : Number(cost.toPrecision(2))));
const action = (name) => game.board?.describe(name) ?? name;

/** Of all that was still to come. */
function share({ cost, value }) {
  const percent = (100 * cost) / value;
  return `${percent > 0 && percent < 0.1 ? "< 0.1" : number(Number(percent.toFixed(percent < 10 ? 1 : 0)))} %`;
}

/** What was lost: in what the game counts, where it is that, and as a share. */
function loss(entry) {
  if (!(entry.value > 0)) return figure(entry.cost);
  const lost = { n: figure(entry.cost), share: share(entry) };
  return game.history.weighed.rewards ? t("costs.loss", lost) : t("costs.loss.share", lost);
}

/** What the numbers are. */
function about() {
  const { by, rewards } = game.history.weighed;
  return t(ownKey(rewards ? "costs.about" : "costs.about.share", game.state.game), { player: by ? methodName(by) : t("costs.strong") });
}

/** What the action after this ply cost; empty where that is nothing, or not known. */
export function costWords(ply) {
  const entry = game.history.costs.get(ply);
  if (!entry?.cost) return "";
  const { name, best } = entry;
  return t("costs.move", { place: t("timeline.move", { ply: number(ply + 1) }), name: action(name), cost: loss(entry), best: action(best) });
}

/** The report, as far as it has come. */
export function costReport(report) {
  const { costs, worst } = game.history;
  const looked = { n: number(costs.size), length: number(game.state.length) };
  const found = worst.length ? [list(worst), ...here(worst)] : [];
  if (!report?.done) return [el("p", { class: "busy-line" }, t("costs.searching", looked)), compilingBox(), ...found];
  const words = t(worst.length ? "costs.found" : costs.size ? "costs.none" : "costs.unknown");
  const part = costs.size && costs.size < game.state.length ? [el("p", { class: "note" }, t("costs.part", looked))] : [];
  return [el("p", { "data-testid": "report-text" }, el("strong", {}, words)), ...(worst.length ? [el("p", { class: "note", "data-testid": "costs-about" }, about())] : []), ...found, ...part];
}

/** On a narrow screen, where the list has no room for words. */
function here(worst) {
  return worst.includes(game.state.ply) ? [el("p", { class: "costs-here" }, costWords(game.state.ply))] : [];
}

/** Where there is little room, the share alone. */
function short(entry) {
  if (!(entry.value > 0)) return [`−${figure(entry.cost)}`];
  const points = game.history.weighed.rewards ? [el("span", {}, t("costs.rewards", { n: figure(entry.cost) }))] : [];
  return [...points, `−${share(entry)}`];
}

/** Each leads to the position before it. */
function list(worst) {
  const entries = worst.map((ply) => {
    const entry = game.history.costs.get(ply);
    const { name, best } = entry;
    const here = ply === game.state.ply ? "true" : null;
    return el("li", {}, el("button", { type: "button", "data-testid": "cost", "data-ply": ply, "aria-current": here, "aria-label": costWords(ply), onclick: () => goTo(ply) },
      el("b", {}, number(ply + 1)), el("span", {}, t("costs.entry", { name: action(name), best: action(best) })), el("small", {}, ...short(entry))));
  });
  return el("ol", { class: "costs-list" }, ...entries);
}
