// The tiles of 2048, at rest and on their way. What is drawn is always the board as it is now: motion only shows how it
// came about, so that it can be cut short at any time.

import { sure, svg } from "/static/base/dom.js";
/** @import { Frame } from "./views.js" */

/** Milliseconds. */
const SLIDE = 100;
const POP = 120;
/** In cells. */
const GAP = 0.04;
const ROOM = 0.84;
const LARGEST_DIGIT = 0.44;
/** How wide a digit should be, in its own size. */
const DIGIT = 0.56;
/** Tiles from this exponent on are written as a power: 2²⁰. */
const POWERS = 20;
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const MOST_SHADES = 17;

/** Which colour a tile has; large ones look alike. @param {number} exponent */
export const shadeOf = (exponent) => Math.min(exponent, MOST_SHADES);

/** The number on a tile; 0 for an empty cell. @param {number} exponent */
export function caption(exponent) {
  if (!exponent) return "0";
  if (exponent < POWERS) return String(2 ** exponent);
  return `2${[...String(exponent)].map((digit) => RAISED[Number(digit)]).join("")}`;
}

/** The drawing of a board of that size: its cells have the size 1, and the first one begins at (0, 0). Returns the
 *  layer for tiles.
 *  @param {SVGElement} drawing @param {number} rows @param {number} columns */
export function drawBoard(drawing, rows, columns) {
  const edge = GAP * 1.5;
  const places = Array.from({ length: rows * columns }, (_, cell) =>
    svg("rect", { class: "g2048-place", x: (cell % columns) + GAP, y: Math.floor(cell / columns) + GAP, width: 1 - 2 * GAP, height: 1 - 2 * GAP, rx: 0.08 }));
  const tiles = svg("g", {});
  drawing.setAttribute("viewBox", `${-edge} ${-edge} ${columns + 2 * edge} ${rows + 2 * edge}`);
  drawing.replaceChildren(svg("rect", { class: "g2048-ground", x: -edge, y: -edge, width: columns + 2 * edge, height: rows + 2 * edge, rx: 0.12 }), ...places, tiles);
  return tiles;
}

export class Tiles {
  /** Of each cell; null: it is empty. @type {(SVGElement | null)[]} */
  nodes = [];
  /** What merged. @type {SVGElement[]} */
  ghosts = [];
  /** @type {Animation[]} */
  motions = [];
  /** @type {(() => void) | null} */
  onEnd = null;

  /** @param {SVGElement} layer @param {number} columns */
  constructor(layer, columns) {
    this.layer = layer;
    this.columns = columns;
  }

  /** cells: exponents of two; 0 is empty. @param {number[]} cells */
  show(cells) {
    this.finish();
    this.nodes = cells.map((exponent, cell) => (exponent ? this.tile(exponent, cell) : null));
    this.layer.replaceChildren(...this.nodes.filter((node) => node !== null));
    for (const [cell, node] of this.nodes.entries()) if (node) Object.assign(node.dataset, { testid: "tile", cell, value: 2 ** cells[cell] });
  }

  /** Shows how `frames`, the server's trace of a move, lead on from the cells before; then, or when something else is
   *  shown, calls onEnd().
   *  @param {number[]} before @param {[Frame, Frame]} trace @param {() => void} onEnd */
  move(before, [{ shifts }, { cells, appeared }], onEnd) {
    this.show(cells);
    const merged = new Set(shifts.filter(([, , merges]) => merges).map(([, target]) => target));
    const met = [...merged].filter((cell) => !shifts.some(([, target, merges]) => target === cell && !merges));
    for (const [origin, target] of [...shifts, ...met.map((cell) => [cell, cell])]) {
      // What merges is seen as it was until it has met.
      const node = merged.has(target) ? this.ghost(before[origin], target) : sure(this.nodes[target]);
      this.animate(node, [{ transform: this.place(origin) }, { transform: this.place(target) }], { duration: SLIDE, easing: "ease-in-out" });
    }
    for (const cell of merged) this.pop(cell, [{ transform: "scale(0.9)" }, { transform: "scale(1.14)" }, { transform: "scale(1)" }]);
    this.pop(sure(appeared), [{ transform: "scale(0)", opacity: 0 }, { transform: "scale(1)" }]).onfinish = () => this.finish();
    this.onEnd = onEnd;
  }

  /** Ends what is in motion. */
  finish() {
    const { motions, ghosts, onEnd } = this;
    Object.assign(this, { motions: [], ghosts: [], onEnd: null });
    for (const motion of motions) motion.cancel();
    for (const ghost of ghosts) ghost.remove();
    onEnd?.();
  }

  /** @param {Element} node @param {Keyframe[]} frames @param {KeyframeAnimationOptions} timing */
  animate(node, frames, timing) {
    const motion = node.animate(frames, timing);
    this.motions.push(motion);
    return motion;
  }

  /** After all have slid; until then the tile is not there. @param {number} cell @param {Keyframe[]} frames */
  pop(cell, frames) {
    const face = sure(this.nodes[cell]?.firstElementChild);
    this.animate(face, [{ opacity: 0 }, { opacity: 0 }], { duration: SLIDE });
    return this.animate(face, frames, { duration: POP, delay: SLIDE, easing: "ease-out" });
  }

  /** @param {number} exponent @param {number} cell */
  ghost(exponent, cell) {
    const node = this.tile(exponent, cell);
    this.ghosts.push(node);
    this.layer.prepend(node);
    return node;
  }

  /** @param {number} cell */
  place(cell) {
    return `translate(${cell % this.columns}px, ${Math.floor(cell / this.columns)}px)`;
  }

  /** @param {number} exponent @param {number} cell */
  tile(exponent, cell) {
    const number = caption(exponent);
    const wide = exponent < POWERS && number.length > 2;
    // Digits are as wide as the tile has room for, whatever the font.
    const size = { "font-size": Math.min(LARGEST_DIGIT, ROOM / (DIGIT * number.length)), ...(wide && { textLength: ROOM, lengthAdjust: "spacingAndGlyphs" }) };
    const face = svg("g", { class: "g2048-face" },
      svg("rect", { x: GAP, y: GAP, width: 1 - 2 * GAP, height: 1 - 2 * GAP, rx: 0.08 }),
      svg("text", { x: 0.5, y: 0.5, ...size }, number));
    return svg("g", { class: "g2048-tile", "data-shade": shadeOf(exponent), style: `transform: ${this.place(cell)}` }, face);
  }
}
