// Loss curves: the best loss as a bold line, the population as a band (its middle half) around its median, over
// evaluations. A second run lies over the first, in another colour and dashed.

import { sure, svg } from "../base/dom.js";
import { number, t } from "../base/i18n.js";
/** @import { Generation } from "../base/messages.js" */

const SIZE = { left: 50, right: 14, top: 12, bottom: 40 };
const MOST_POINTS = 500;
/** Stands for an infinite loss, which cannot be drawn. */
const LARGEST = 1e300;

/** @typedef {ReturnType<typeof scales>} Scales */

/** Losses are told apart by their fourth digit at most. @param {number | null} [value] */
export function lossText(value) {
  return value === null || value === undefined ? "–" : Math.abs(value) >= LARGEST ? "∞" : number(Number(value.toPrecision(4)));
}

/** What a loss is the negative of. @param {number | null} [loss] */
export const gainText = (loss) => lossText(loss === null || loss === undefined ? loss : 0 - loss);

/** @param {Generation} generation */
const asGain = ({ best, low, median, high, ...rest }) => ({ ...rest, best: 0 - best, low: 0 - high, median: 0 - median, high: 0 - low });

/** @param {Generation[]} course */
function thinned(course) {
  if (course.length <= MOST_POINTS) return course;
  const step = (course.length - 1) / (MOST_POINTS - 1);
  return Array.from({ length: MOST_POINTS }, (_, i) => course[Math.round(i * step)]);
}

/** Round numbers within low … high: 1, 2 or 5 times a power of ten apart.
 *  @param {number} low @param {number} high @param {number} wanted */
function ticks(low, high, wanted) {
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999) ?? 10 * power;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => (first + i) * step);
}

/** @param {Generation[][]} courses @param {number} width @param {number} height */
function scales(courses, width, height) {
  const points = courses.flat();
  const losses = points.flatMap(({ best, low, high }) => [best, low, high]);
  const least = losses.length ? Math.min(...losses) : 0;
  const most = losses.length ? Math.max(...losses) : 1;
  const margin = (most - least) * 0.06 || Math.abs(least) * 0.1 || 1;
  const [from, to] = [least - margin, most + margin];
  const end = Math.max(1, ...points.map(({ evaluations }) => evaluations));
  return {
    from, to, end,
    /** @param {number} count */
    x: (count) => SIZE.left + (width - SIZE.left - SIZE.right) * count / end,
    /** @param {number} loss */
    y: (loss) => SIZE.top + (height - SIZE.top - SIZE.bottom) * (to - loss) / (to - from),
  };
}

/** @param {Scales} scales @param {number} width @param {number} height @param {string} unit */
function axes({ from, to, end, x, y }, width, height, unit) {
  const parts = [];
  const floor = height - SIZE.bottom;
  for (const loss of ticks(from, to, 4)) {
    parts.push(svg("path", { class: "grid", d: `M${SIZE.left} ${y(loss)}H${width - SIZE.right}` }),
      svg("text", { x: SIZE.left - 7, y: y(loss) + 4, "text-anchor": "end" }, lossText(loss)));
  }
  for (const count of ticks(0, end, width < 420 ? 3 : 6).filter(Number.isInteger)) {
    parts.push(svg("path", { class: "axis", d: `M${x(count)} ${floor}v5` }),
      svg("text", { x: x(count), y: floor + 18, "text-anchor": "middle" }, number(count)));
  }
  parts.push(svg("path", { class: "axis", d: `M${SIZE.left} ${SIZE.top}V${floor}H${width - SIZE.right}` }),
    svg("text", { x: (SIZE.left + width - SIZE.right) / 2, y: height - 4, "text-anchor": "middle" }, t("tune.evaluations")),
    svg("text", { transform: `translate(11 ${(SIZE.top + floor) / 2}) rotate(-90)`, "text-anchor": "middle" }, unit));
  return parts;
}

/** @param {Generation[]} course @param {Scales} scales @param {string} kind */
function curve(course, { x, y }, kind) {
  /** @param {Generation[]} points @param {"best" | "low" | "median" | "high"} key */
  const line = (points, key) => points.map((point) => `${x(point.evaluations).toFixed(1)} ${y(point[key]).toFixed(1)}`).join("L");
  const group = svg("g", { class: `curve ${kind}`, "data-testid": `curve-${kind}`, "data-points": course.length });
  if (!course.length) return group;
  group.append(
    svg("path", { class: "band", d: `M${line(course, "high")}L${line([...course].reverse(), "low")}Z` }),
    svg("path", { class: "median", d: `M${line(course, "median")}` }),
    svg("path", { class: "best", d: `M${line(course, "best")}` }));
  const last = sure(course.at(-1));
  if (course.length === 1) group.append(svg("path", { class: "median", d: `M${x(last.evaluations)} ${y(last.low)}V${y(last.high)}` }));
  group.append(svg("circle", { class: "dot", cx: x(last.evaluations), cy: y(last.best), r: 4 }));
  return group;
}

/** courses: of the run that is shown and, if any, of the one that it is compared with.
 *  gain: what losses are the negatives of, which then is drawn, upwards.
 *  @param {HTMLElement} box @param {Generation[][]} courses @param {string | null} gain */
export function drawCurves(box, courses, gain) {
  const width = Math.max(240, box.clientWidth);
  const height = width < 420 ? 210 : 250;
  const finite = courses.map((course) => thinned(course.filter(({ best, high }) => Math.max(best, high) < LARGEST)));
  const shown = gain ? finite.map((course) => course.map(asGain)) : finite;
  const measure = gain && t(`measure.${gain}`);
  const scale = scales(shown, width, height);
  const last = courses[0]?.at(-1);
  const label = last && measure ? t("tune.gain.curve", { n: number(last.evaluations), measure, best: gainText(last.best), median: gainText(last.median) })
    : last ? t("tune.curve", { n: number(last.evaluations), best: lossText(last.best), median: lossText(last.median) })
    : t("tune.curve.empty");
  const picture = svg("svg", { class: "loss-curve", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...axes(scale, width, height, measure ?? t("tune.loss")));
  shown.forEach((course, index) => picture.append(curve(course, scale, index ? "second" : "first")));
  box.replaceChildren(picture);
}

/** A line as it is drawn, for the legend. @param {string} kind */
export function swatch(kind) {
  return svg("svg", { class: "swatch", width: 30, height: 14, viewBox: "0 0 30 14", "aria-hidden": "true" },
    svg("g", { class: `curve ${kind}` },
      svg("path", { class: "band", d: "M0 1H30V13H0Z" }), svg("path", { class: "median", d: "M0 10H30" }), svg("path", { class: "best", d: "M0 5H30" })));
}
