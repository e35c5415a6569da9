// The blocks of a board of rotate: their numbers as the rules count them, their names as contests write them, and
// which of them lie around a point. tests/browser/test_rotate_page.py holds numbers and names equal to the rules'.

import { sure } from "/static/base/dom.js";
import { clamp } from "/static/base/grid.js";

/** @typedef {{ left: number, top: number, side: number }} Block */
/** Clockwise. @typedef {Block & { quarters: number }} Turn */

/** Shows which way a block turns, by quarters clockwise. @type {Record<number, string>} */
export const ARROWS = { 1: "↻", 2: "180°", 3: "↺" };

export class Blocks {
  /** @param {number} rows @param {number} columns @param {string} rules */
  constructor(rows, columns, rules) {
    const pairs = rules === "pairs";
    this.rows = rows;
    this.columns = columns;
    this.pairs = pairs;
    /** How many turns each block has; and from one side to the next. */
    this.ways = pairs ? 1 : 3;
    this.step = pairs ? 1 : 2;
    /** @type {number[]} */
    this.sides = [];
    /** The number of the first block of each side. @type {Map<number, number>} */
    this.first = new Map();
    let count = 0;
    for (let side = 2; side <= Math.min(rows, columns); side += this.step) {
      this.sides.push(side);
      this.first.set(side, count);
      count += (rows - side + 1) * (columns - side + 1);
    }
  }

  /** @param {Block} block @param {number} quarters */
  action({ left, top, side }, quarters) {
    return (this.firstOf(side) + top * (this.columns - side + 1) + left) * this.ways + quarters - 1;
  }

  /** @param {number} side */
  firstOf(side) {
    return sure(this.first.get(side));
  }

  /** Of an action. @param {number} action @returns {Turn} */
  turn(action) {
    const number = Math.floor(action / this.ways);
    const side = sure(this.sides.findLast((one) => this.firstOf(one) <= number));
    const place = number - this.firstOf(side);
    const across = this.columns - side + 1;
    return { left: place % across, top: Math.floor(place / across), side, quarters: (action % this.ways) + 1 };
  }

  /** As Kosen Procon 20 writes a turn: the vertex in the middle, the side, quarters clockwise; for pairs as Kosen
   *  Procon 36 does: the upper left cell from 0, the side.
   *  @param {Block & { quarters?: number }} block */
  name({ left, top, side, quarters }) {
    return this.pairs ? `${left},${top},${side}` : `${left + side / 2},${top + side / 2},${side},${quarters}`;
  }
}

/** A block that one points at: the one with this side around this centre, or the largest that fits there. */
export class Aim {
  /** Where it was pointed at. */
  x = 0;
  y = 0;
  /** The middle of the block, and its side. */
  centreX = 0;
  centreY = 0;
  side = 2;
  /** The side that is meant, where there is room for it. */
  wanted = 2;

  /** @param {Blocks} blocks */
  constructor(blocks) {
    this.blocks = blocks;
    this.pointAt(blocks.columns / 2, blocks.rows / 2);
  }

  /** x, y: in cells from the upper left corner of the board. Blocks of an even side have a vertex in the middle,
   *  those of an odd side a cell. Returns whether the block is another one now.
   *  @param {number} x @param {number} y */
  pointAt(x, y) {
    const { rows, columns } = this.blocks;
    const before = this.key();
    this.x = x;
    this.y = y;
    /** @param {number} at @param {number} length */
    const centre = (at, length) => (this.wanted % 2 ? clamp(Math.floor(at), 1, length - 2) + 0.5 : clamp(Math.round(at), 1, length - 1));
    this.centreX = centre(x, columns);
    this.centreY = centre(y, rows);
    this.side = Math.min(this.wanted, this.largest());
    return this.key() !== before;
  }

  /** One cell on from the block as it is. @param {number} dx @param {number} dy */
  move(dx, dy) {
    return this.pointAt(this.centreX + dx, this.centreY + dy);
  }

  largest() {
    const { rows, columns } = this.blocks;
    return 2 * Math.min(this.centreX, this.centreY, columns - this.centreX, rows - this.centreY);
  }

  /** by: 1 or -1. Returns whether there is such a block. @param {number} by */
  resize(by) {
    const [side, before] = [this.side + by * this.blocks.step, this.wanted];
    if (!this.blocks.first.has(side)) return false;
    this.wanted = side;
    this.pointAt(this.x, this.y);
    if (this.side === side) return true;
    this.wanted = before;
    this.pointAt(this.x, this.y);
    return false;
  }

  /** @param {Block} block */
  take({ left, top, side }) {
    this.wanted = side;
    this.pointAt(left + side / 2, top + side / 2);
  }

  block() {
    const { centreX, centreY, side } = this;
    return { left: centreX - side / 2, top: centreY - side / 2, side };
  }

  /** All blocks around the same centre, the smallest first. */
  concentric() {
    const { centreX, centreY } = this;
    /** @type {Block[]} */
    const blocks = [];
    for (let side = this.side % 2 ? 3 : 2; side <= this.largest(); side += 2) blocks.push({ left: centreX - side / 2, top: centreY - side / 2, side });
    return blocks;
  }

  key() {
    return `${this.centreX},${this.centreY},${this.side}`;
  }
}
