// How hard the set gets: a point for each level in the set's order, with the interval of its difficulty. Points are drawn
// to where their levels should be.

import { hold, onResize } from "../base/browser.js";
import { $, redraw, show, svg } from "../base/dom.js";
import { number, t } from "../base/i18n.js";
import { figureText, nameOf } from "./columns.js";
import { select } from "./selecting.js";
import { move, rowOf, rowsInOrder, view } from "./state.js";
import { reveal } from "./table.js";
/** @import { SetRow } from "../base/messages.js" */

const EDGE = { left: 46, right: 10, top: 10, bottom: 20 };
const HEIGHT = 118;
/** More are a line without points, which cannot be told apart. */
const MOST_POINTS = 300;
/** Of the selected ones among more. */
const MOST_MARKS = 100;
const TREMBLE = 4;

/** The ends of difficulty in each game, whose scales have nothing in common; with the intervals, where they are drawn.
 *  @param {SetRow[]} rows */
function scales(rows) {
  const fine = rows.length <= MOST_POINTS;
  /** @type {Map<string, [number, number]>} */
  const ends = new Map();
  for (const { look: { game, rating, rating_low: low, rating_high: high } } of rows) {
    if (rating === null || game === null) continue;
    const [least, most] = ends.get(game) ?? [Infinity, -Infinity];
    ends.set(game, [Math.min(least, (fine && low) || rating), Math.max(most, (fine && high) || rating)]);
  }
  return ends;
}

/** @param {number} width @param {SetRow[]} rows */
function makeScale(width, rows) {
  const ends = scales(rows);
  const inner = width - EDGE.left - EDGE.right;
  return {
    ends,
    /** @param {number} place */
    x: (place) => EDGE.left + (inner * (place + 0.5)) / rows.length,
    /** In front of which place. @param {number} x */
    place: (x) => Math.max(0, Math.min(rows.length, Math.round(((x - EDGE.left) / inner) * rows.length))),
    /** @param {SetRow} row @param {number} figure */
    y: ({ look: { game } }, figure) => {
      const [least, most] = ends.get(game ?? "") ?? [0, 1];
      return HEIGHT - EDGE.bottom - (HEIGHT - EDGE.top - EDGE.bottom) * (most > least ? (figure - least) / (most - least) : 0.5);
    },
  };
}

/** The middle of each stretch of levels that lies on the same pixel.
 *  @param {SetRow[]} rows @param {ReturnType<typeof makeScale>} scale @param {number} width */
function line(rows, scale, width) {
  const step = Math.max(1, Math.ceil(rows.length / width));
  const points = [];
  for (let from = 0; from < rows.length; from += step) {
    const some = rows.slice(from, from + step);
    const known = some.flatMap((row) => (row.look.rating === null ? [] : scale.y(row, row.look.rating)));
    if (known.length) points.push(`${scale.x(from + (some.length - 1) / 2).toFixed(1)} ${(known.reduce((all, y) => all + y) / known.length).toFixed(1)}`);
  }
  return `M${points.join("L")}`;
}

/** @param {SetRow} row @param {number} place @param {ReturnType<typeof makeScale>} scale */
function point(row, place, scale) {
  const { rating, word, rating_low: low, rating_high: high } = row.look;
  const x = scale.x(place);
  const title = svg("title", {}, [`${number(place + 1)} ${nameOf(row)}`, rating === null ? t("sets.curve.none") : figureText(rating)].join(t("list.comma")));
  const y = rating === null ? HEIGHT - EDGE.bottom : scale.y(row, rating);
  return svg("g", { "data-number": row.number, class: view.selected.has(row.number) ? "point chosen" : "point", "data-word": word ?? "none" },
    title,
    rating !== null && (low !== null || high !== null) ? svg("path", { class: "span", d: `M${x} ${scale.y(row, low ?? rating)}V${scale.y(row, high ?? rating)}` }) : null,
    svg("circle", { class: "hand", cx: x, cy: y, r: 14 }), svg("circle", { cx: x, cy: y, r: rating === null ? 2.5 : 4.5 }));
}

/** What was worked out when levels or the width changed last.
 *  @type {{ rows: SetRow[], rated: number, width: number, scale: ReturnType<typeof makeScale>, course: string } | null} */
let known = null;

/** @param {number} width */
function workOut(width) {
  if (known && known.width === width && !view.stale) return known;
  const rows = rowsInOrder();
  const scale = makeScale(width, rows);
  known = { rows, width, scale, rated: rows.filter(({ look }) => look.rating !== null).length, course: line(rows, scale, width) };
  return known;
}

export function drawCurve() {
  const place = $("sets-curve-place");
  const { rows, rated, width, scale, course } = workOut(place.clientWidth);
  const fine = rows.length <= MOST_POINTS;
  show($("sets-curve"), rated > 1);
  show($("sets-curve-note"), fine);
  if (rated < 2 || !width) return;
  const [one, several] = scale.ends.values();
  const ends = one && !several ? one.map(figureText) : [t("fact.word.easy"), t("fact.word.hard")];
  const label = t("sets.curve.label", { n: number(rated), low: ends[0], high: ends[1] });
  const marked = fine ? [] : [...view.selected].slice(0, MOST_MARKS).flatMap((of) => rowOf(of) ?? []);
  redraw(place, svg("svg", { class: "set-curve", width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": label, "data-testid": "sets-curve-drawing" },
    svg("path", { class: "axis", d: `M${EDGE.left} ${EDGE.top}V${HEIGHT - EDGE.bottom}H${width - EDGE.right}` }),
    svg("text", { x: EDGE.left - 6, y: EDGE.top + 8, "text-anchor": "end" }, ends[1]),
    svg("text", { x: EDGE.left - 6, y: HEIGHT - EDGE.bottom, "text-anchor": "end" }, ends[0]),
    svg("text", { x: EDGE.left, y: HEIGHT - 4 }, number(1)),
    svg("text", { x: width - EDGE.right, y: HEIGHT - 4, "text-anchor": "end" }, number(rows.length)),
    svg("path", { class: "course", d: course }),
    ...(fine ? rows.map((row, at) => point(row, at, scale)) : marked.map((row) => point(row, view.places.get(row.number) ?? 0, scale))),
    svg("path", { class: "drop-line", d: `M0 ${EDGE.top}V${HEIGHT - EDGE.bottom}`, visibility: "hidden" })));
}

/** @param {PointerEvent} event */
function drag(event) {
  const target = /** @type {Element} */ (event.target).closest("[data-number]");
  if (!target || !known) return;
  const { scale } = known;
  event.preventDefault();
  const place = $("sets-curve-place");
  const of = Number(target.getAttribute("data-number"));
  const { left } = place.getBoundingClientRect();
  let at = /** @type {number | null} */ (null);
  const whileHeld = new AbortController();
  const { signal } = whileHeld;
  hold(place, event);
  place.addEventListener("pointermove", ({ clientX }) => {
    if (at === null && Math.abs(clientX - event.clientX) <= TREMBLE) return;
    at = scale.place(clientX - left);
    const mark = /** @type {SVGElement | null} */ (place.querySelector(".drop-line"));
    mark?.setAttribute("transform", `translate(${scale.x(at - 0.5)} 0)`);
    mark?.setAttribute("visibility", "visible");
  }, { signal });
  const end = (/** @type {boolean} */ done) => {
    whileHeld.abort();
    place.querySelector(".drop-line")?.setAttribute("visibility", "hidden");
    if (!done) return;
    if (at !== null) move(view.selected.has(of) ? [...view.selected] : [of], view.order[at] ?? null);
    select(view.selected.has(of) ? [...view.selected] : [of], of);
    requestAnimationFrame(() => reveal(of, false));
  };
  place.addEventListener("pointerup", () => end(true), { signal });
  place.addEventListener("pointercancel", () => end(false), { signal });
}

export function mountCurve() {
  $("sets-curve-place").addEventListener("pointerdown", drag);
  onResize($("sets-curve-place"), drawCurve);
}
