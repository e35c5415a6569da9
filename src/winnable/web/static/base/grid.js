// Boards of cells in rows, numbered row by row from the upper left one: what pointers and arrow keys mean there.

import { sure } from "./dom.js";

/** The steps of the arrow keys: [dx, dy]. @type {Record<string, [number, number]>} */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The steps of letters that stand for arrow keys, on boards that want them.
 *  @type {Record<string, [number, number]>} */
export const LETTER_ARROWS = { w: [0, -1], a: [-1, 0], s: [0, 1], d: [1, 0], h: [-1, 0], j: [0, 1], k: [0, -1], l: [1, 0] };

/** @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** @typedef {{ rows: number, columns: number }} Size */
/** @typedef {{ clientX: number, clientY: number }} Place */

/** What work(x, y) says of each cell.
 *  @template T @param {number} rows @param {number} columns @param {(x: number, y: number) => T} work */
export function eachCell(rows, columns, work) {
  return Array.from({ length: rows * columns }, (_, cell) => work(cell % columns, Math.floor(cell / columns)));
}

/** The cell that many steps on; there is none beyond the edge.
 *  @param {number} cell @param {number} dx @param {number} dy @param {Size} size */
export function stepFrom(cell, dx, dy, { rows, columns }) {
  const x = clamp((cell % columns) + dx, 0, columns - 1);
  const y = clamp(Math.floor(cell / columns) + dy, 0, rows - 1);
  return y * columns + x;
}

/** The cells on the straight way from one to another, without the first.
 *  @param {number} from @param {number} to @param {{ columns: number }} size */
export function wayTo(from, to, { columns }) {
  const [x, y] = [from % columns, Math.floor(from / columns)];
  const [dx, dy] = [(to % columns) - x, Math.floor(to / columns) - y];
  const steps = Math.max(Math.abs(dx), Math.abs(dy));
  return Array.from({ length: steps }, (_, i) => Math.round(y + (dy * (i + 1)) / steps) * columns + Math.round(x + (dx * (i + 1)) / steps));
}

/** Where the pointer is, in the units of an SVG element's viewBox.
 *  @param {SVGGraphicsElement} drawing @param {Place} place */
export function pointIn(drawing, { clientX, clientY }) {
  return new DOMPoint(clientX, clientY).matrixTransform(sure(drawing.getScreenCTM()).inverse());
}

/** The cell under the pointer where cells have the size 1 and begin at (0, 0); -1 outside. Also while the pointer is
 *  captured.
 *  @param {SVGGraphicsElement} drawing @param {Place} event @param {Size} size */
export function cellUnder(drawing, event, { rows, columns }) {
  const point = pointIn(drawing, event);
  const [x, y] = [Math.floor(point.x), Math.floor(point.y)];
  return x >= 0 && y >= 0 && x < columns && y < rows ? y * columns + x : -1;
}
