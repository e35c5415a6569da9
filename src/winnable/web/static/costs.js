// What the moves of a game without a goal cost, as a report found it: in words, and as a list of the worst.

import { el } from "./dom.js";
import { game, goTo } from "./game.js";
import { number, t } from "./i18n.js";

const figure = (cost) => number(cost >= 10 ? Math.round(cost) : Number(cost.toPrecision(2)));
const action = (name) => game.board?.describe(name) ?? name;

/** What the action after this ply cost; empty where that is nothing, or not known. */
export function costWords(ply) {
  const { cost = 0, name, best } = game.history.costs.get(ply) ?? {};
  if (!cost) return "";
  return t("costs.move", { place: t("timeline.move", { ply: number(ply + 1) }), name: action(name), cost: figure(cost), best: action(best) });
}

/** The report, as far as it has come. */
export function costReport(report) {
  const { costs, worst } = game.history;
  const looked = { n: number(costs.size), length: number(game.state.length) };
  const found = worst.length ? [list(worst), ...here(worst)] : [];
  if (!report?.done) return [el("p", { class: "busy-line" }, t("costs.searching", looked)), ...found];
  const words = t(worst.length ? "costs.found" : "costs.none");
  const part = costs.size < game.state.length ? [el("p", { class: "note" }, t("costs.part", looked))] : [];
  return [el("p", { "data-testid": "report-text" }, el("strong", {}, words)), ...found, ...part];
}

/** On a narrow screen, where the list has no room for words. */
function here(worst) {
  return worst.includes(game.state.ply) ? [el("p", { class: "costs-here" }, costWords(game.state.ply))] : [];
}

/** Each leads to the position before it. */
function list(worst) {
  const entries = worst.map((ply) => {
    const { cost, name, best } = game.history.costs.get(ply);
    const here = ply === game.state.ply ? "true" : null;
    return el("li", {}, el("button", { type: "button", "data-testid": "cost", "data-ply": ply, "aria-current": here, "aria-label": costWords(ply), onclick: () => goTo(ply) },
      el("b", {}, number(ply + 1)), el("span", {}, t("costs.entry", { name: action(name), best: action(best) })), el("small", {}, `−${figure(cost)}`)));
  });
  return el("ol", { class: "costs-list" }, ...entries);
}
