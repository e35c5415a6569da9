// The parts of the tuning view that only draw: figures, weights, the verdict, the list of kept runs.

import { el, icon, svg } from "../base/dom.js";
import { firstWord } from "../base/fields.js";
import { ago, number, seconds, t } from "../base/i18n.js";
import { runName } from "../desk/names.js";
import { gainText, lossText, swatch } from "./curve.js";
import { gameInfo } from "../desk/game.js";
/** @import { Attributes, Icon } from "../base/dom.js" */
/** @import { Comparison, Generation, Run } from "../base/messages.js" */

/** @type {Record<Run["status"], Icon>} */
const STATUS_ICONS = { running: "play", interrupted: "pause", stopped: "pause", finished: "check", failed: "cross" };

/** `holes*danger`: what the weight of holes gains in danger. @param {string} name */
export function geneName(name) {
  const [feature, danger] = name.split("*");
  const word = firstWord(`gene.${feature}`);
  return danger ? t(`gene.${danger}`, { name: word }) : word;
}

/** @param {Run["status"]} status */
export function statusBadge(status, text = t(`tune.status.${status}`)) {
  return el("span", { class: `badge ${status}`, "data-testid": "tune-status", "data-status": status }, icon(STATUS_ICONS[status]), el("span", {}, text));
}

/** gain: for a key that names it. @param {string} key @param {string} value @param {string | null} [gain] */
function figure(key, value, gain = null) {
  return el("div", {}, el("dt", {}, gain ? t(key, { measure: t(`measure.${gain}`) }) : t(key)), el("dd", {}, value));
}

/** What people count, where the loss is its negative: `measure.GAIN` in the words. @param {Run} run */
export const gainOf = ({ game, tunable }) => gameInfo(game)?.tunables.find(({ name }) => name === tunable)?.gain ?? null;

/** rate: evaluations a second in this sitting, or null.
 *  @param {Run} run @param {number} judged @param {Generation | null} last @param {number | null} rate */
export function figures(run, judged, last, rate) {
  const gain = gainOf(run);
  const losses = gain
    ? [figure("tune.gain.best", gainText(last?.best), gain), figure("tune.gain.median", gainText(last?.median), gain)]
    : [figure("tune.best", lossText(last?.best)), figure("tune.median", lossText(last?.median))];
  return [
    ...(last ? [figure("tune.generation", number(last.generation))] : []),
    figure("tune.evaluations", `${number(judged)} / ${number(run.evaluations)}`),
    ...losses,
    rate === null ? figure("solve.time", seconds(last?.seconds ?? 0)) : figure("tune.rate", number(Number(rate.toPrecision(3)))),
  ];
}

/** @param {string[]} names */
export function legend(names) {
  const kinds = ["first", "second"];
  return [...names.map((name, i) => el("span", {}, swatch(kinds[i]), el("span", {}, name))), el("small", {}, t("tune.legend"))];
}

/** A weight and its spread among all, with a tick where the weight in use lies.
 *  @param {number} tuned @param {number} spread @param {number} used @param {number} most */
function weightBar(tuned, spread, used, most) {
  /** @param {number} value */
  const x = (value) => Math.max(0, Math.min(100, value / most * 100));
  return svg("svg", { class: "weight-bar", viewBox: "0 0 100 14", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "rail", x: 0, y: 5, width: 100, height: 4 }),
    svg("rect", { class: "spread", x: x(tuned - spread), y: 2, width: Math.max(0.5, x(tuned + spread) - x(tuned - spread)), height: 10 }),
    svg("rect", { class: "tuned", x: Math.min(98.6, x(tuned)), y: 0, width: 1.4, height: 14 }),
    svg("rect", { class: "used", x: Math.min(98.8, x(used)), y: 0, width: 1.2, height: 14 }));
}

/** @param {Run} run @param {Generation | null} last */
export function weights({ genes, incumbent, held }, last) {
  if (!last) return [];
  /** @param {number} value */
  const fixed = (value) => value.toFixed(2);
  const most = Math.max(1e-9, ...incumbent, ...last.recommendation.map((weight, i) => weight + last.spread[i]));
  const head = el("tr", {}, ...["tune.weight", "tune.tuned", "tune.used"].map((key) => el("th", { scope: "col" }, t(key))), el("th", { class: "bar-cell", "aria-hidden": "true" }, el("small", {}, t("tune.bar"))));
  const rows = genes.map((name, i) => el("tr", {},
    el("th", { scope: "row" }, geneName(name)),
    el("td", {}, fixed(last.recommendation[i]), " ", el("small", {}, name in held ? t("tune.held") : `± ${fixed(last.spread[i])}`)),
    el("td", {}, fixed(incumbent[i])),
    el("td", { class: "bar-cell" }, weightBar(last.recommendation[i], last.spread[i], incumbent[i], most))));
  return [el("thead", {}, head), el("tbody", {}, ...rows)];
}

/** @type {Record<Comparison["decision"], [string, Icon]>} */
const DECISIONS = { accept: ["better", "check"], reject: ["worse", "cross"], undecided: ["same", "question"] };

/** What the comparison on fresh seeds said. @param {Run} run */
export function verdict(run) {
  const { comparison, error } = run;
  const gain = gainOf(run);
  if (error) return [el("p", { class: "tune-verdict worse" }, icon("cross"), el("span", {}, error))];
  if (!comparison) return [];
  const { decision, difference, ci_low: low, ci_high: high, pairs } = comparison;
  const [kind, picture] = DECISIONS[decision];
  /** @param {number} value */
  const signed = (value) => (value > 0 ? "+" : value < 0 ? "−" : "") + lossText(Math.abs(value));
  const facts = gain
    ? t("tune.gain.facts", { n: number(pairs), measure: t(`measure.${gain}`), difference: signed(-difference), low: signed(-high), high: signed(-low) })
    : t("tune.facts", { n: number(pairs), difference: signed(difference), low: signed(low), high: signed(high) });
  return [el("p", { class: `tune-verdict ${kind}`, "data-testid": "tune-verdict", "data-kind": kind },
    icon(picture),
    el("span", {}, el("strong", {}, t(`tune.${kind}`)), " ", el("small", {}, facts)))];
}

/** @typedef {{ selected: string | null, compared: string | null, on: Record<"open" | "compare" | "remove", (run: string) => void> }} Context */

/** last: its newest generation, if any; on: { open, compare, remove }, each with a run's id.
 *  @param {Run} run @param {Generation | null} last @param {Context} context */
export function runRow(run, last, { selected, compared, on }) {
  const here = run.id === selected;
  const facts = [t(`tune.status.${run.status}`), `${number(last?.evaluations ?? 0)} / ${number(run.evaluations)}`, t("tune.run.median", { loss: gainOf(run) ? gainText(last?.median) : lossText(last?.median) }), ago(run.started)];
  const name = runName(run);
  const open = el("button", { class: "session", type: "button", "data-testid": "run-open", "data-run": run.id, "aria-current": here ? "true" : null, onclick: () => on.open(run.id) },
    el("span", { class: "session-name" }, name), el("small", {}, facts.join(" · ")));
  /**
   * @param {string} testid
   * @param {string} label
   * @param {Icon} picture
   * @param {Attributes} extra
   * @param {() => void} onclick
   */
  const button = (testid, label, picture, extra, onclick) => el("button", { class: "quiet square", type: "button", "data-testid": testid, "aria-label": label, title: label, ...extra, onclick }, icon(picture));
  return el("li", { "data-key": run.id, "aria-current": here ? "true" : null }, open,
    button("run-compare", t("tune.compare", { name }), "curves", { "aria-pressed": String(run.id === compared), disabled: here }, () => on.compare(run.id)),
    button("run-delete", t("tune.delete", { name }), "trash", { disabled: run.status === "running" }, () => on.remove(run.id)));
}
