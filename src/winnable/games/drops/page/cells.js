// What boards of drops are drawn with, on the page and in the editor: cells, and the numbers at the edges.

import { sure, svg } from "/static/base/dom.js";
import { eachCell } from "/static/base/grid.js";
/** @import { Translate } from "/static/boards/board.js" */

/** Room for the coordinates, in cells. */
const MARGIN = 0.8;
export const REST = 0.3;
/** Beyond so many columns or rows only every fifth has its number. */
const ALL_NUMBERED = 16;

/** Makes room for the cells, for numbers above and at the left, and for `rest` cells at the right and below. element: is
 *  told the shape of the drawing, and how wide it may be with cells of `largest` pixels.
 *  @param {SVGElement} drawing @param {HTMLElement | SVGElement} element @param {number} rows
 *  @param {number} columns @param {number} rest @param {number} largest */
export function frame(drawing, element, rows, columns, rest, largest) {
  const [width, height] = [columns + MARGIN + rest, rows + MARGIN + rest];
  drawing.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${width} ${height}`);
  element.style.setProperty("--ratio", width / height);
  element.style.setProperty("--widest", `${Math.round(width * largest)}px`);
}

/** The cells of a board; the Tab key finds the one with the cursor. */
export class Cells {
  /** @param {SVGElement} drawing @param {number} rows @param {number} columns */
  constructor(drawing, rows, columns) {
    this.rows = rows;
    this.columns = columns;
    this.cursor = 0;
    this.axes = makeAxes(rows, columns);
    this.nodes = eachCell(rows, columns, (x, y) => makeCell(x, y, y * columns + x));
    drawing.replaceChildren(pool(rows, columns), ...axisNames(rows, columns), ...this.axes.x, ...this.axes.y, ...this.nodes);
    this.setCursor(0);
  }

  /** @param {number} cell */
  setCursor(cell) {
    this.nodes[this.cursor].setAttribute("tabindex", -1);
    this.cursor = cell;
    this.nodes[cell].setAttribute("tabindex", 0);
  }

  /** @param {number} cell @param {number} drops */
  show(cell, drops) {
    const node = this.nodes[cell];
    node.dataset.drops = String(drops);
    sure(node.lastElementChild).textContent = drops ? String(drops) : "";
  }

  /** drops: how many each cell holds. @param {Translate} t @param {(number | null)[]} drops */
  label(t, drops) {
    this.nodes.forEach((node, cell) => node.setAttribute("aria-label", cellLabel(t, cell, this.columns, drops[cell])));
  }
}

/** @param {number} x @param {number} y @param {number} cell */
function makeCell(x, y, cell) {
  return svg("g", { class: "cell", role: "button", tabindex: -1, "data-cell": cell, transform: `translate(${x} ${y})` },
    svg("rect", { class: "cell-pad", x: 0.04, y: 0.04, width: 0.92, height: 0.92, rx: 0.2 }),
    svg("g", { class: "cell-drop" },
      svg("circle", { class: "cell-water", r: 0.42 }),
      svg("circle", { class: "cell-rim", r: 0.34 }),
      svg("path", { class: "cell-glint", d: "M-.27 -.1A.29 .29 0 0 1 -.08 -.27" })),
    svg("rect", { class: "cell-ring", x: 0.05, y: 0.05, width: 0.9, height: 0.9, rx: 0.2 }),
    svg("text", { class: "cell-number", x: 0.5, y: 0.5 }));
}

/** @param {number} rows @param {number} columns */
function pool(rows, columns) {
  return svg("rect", { class: "pool", x: -0.12, y: -0.12, width: columns + 0.24, height: rows + 0.24, rx: 0.3 });
}

/** The numbers of the columns (x) and of the rows (y). @param {number} rows @param {number} columns */
function makeAxes(rows, columns) {
  const longest = Math.max(rows, columns);
  /** @param {number} length @param {(i: number) => [number, number]} place */
  const axis = (length, place) => Array.from({ length }, (_, i) => axisLabel(i, length, longest, place(i)));
  return { x: axis(columns, (i) => [i + 0.5, -0.32]), y: axis(rows, (i) => [-0.4, i + 0.5]) };
}

/** Moves are called `(x,y)`, and both axes count from 1: which is which stands where they begin.
 *  @param {number} rows @param {number} columns */
function axisNames(rows, columns) {
  const kind = Math.max(rows, columns) > ALL_NUMBERED ? "axis-name sparse" : "axis-name";
  return [svg("text", { class: kind, x: -0.2, y: -0.34, "aria-hidden": "true" }, "x→"), svg("text", { class: kind, x: -0.42, y: 0, "aria-hidden": "true" }, "y↓")];
}

/** @param {number} i @param {number} length @param {number} longest @param {[number, number]} place */
function axisLabel(i, length, longest, [x, y]) {
  const sparse = longest > ALL_NUMBERED;
  const quiet = length > ALL_NUMBERED && i > 0 && (i + 1) % 5 !== 0;
  return svg("text", { class: `axis${sparse ? " sparse" : ""}${quiet ? " quiet" : ""}`, x, y, "aria-hidden": "true" }, String(i + 1));
}

/** @param {Translate} t @param {number} cell @param {number} columns @param {number | null} drops */
function cellLabel(t, cell, columns, drops) {
  const values = { x: (cell % columns) + 1, y: Math.floor(cell / columns) + 1, n: drops };
  return t(drops ? "drops.cell" : "drops.cell.empty", values);
}
