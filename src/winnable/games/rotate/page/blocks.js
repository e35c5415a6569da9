// The blocks of a board of rotate: their numbers as the rules count them, their names as contests write them, and
// which of them lie around a point. tests/browser/test_rotate_page.py holds numbers and names equal to the rules'.

import { clamp } from "/static/base/grid.js";

/** Shows which way a block turns, by quarters clockwise. */
export const ARROWS = { 1: "↻", 2: "180°", 3: "↺" };

export class Blocks {
  constructor(rows, columns, rules) {
    const pairs = rules === "pairs";
    Object.assign(this, { rows, columns, pairs });
    /** How many turns each block has; and from one side to the next. */
    this.ways = pairs ? 1 : 3;
    this.step = pairs ? 1 : 2;
    this.sides = [];
    this.first = new Map();
    let count = 0;
    for (let side = 2; side <= Math.min(rows, columns); side += this.step) {
      this.sides.push(side);
      this.first.set(side, count);
      count += (rows - side + 1) * (columns - side + 1);
    }
  }

  action({ left, top, side }, quarters) {
    return (this.first.get(side) + top * (this.columns - side + 1) + left) * this.ways + quarters - 1;
  }

  /** {left, top, side, quarters} of an action. */
  turn(action) {
    const number = Math.floor(action / this.ways);
    const side = this.sides.findLast((one) => this.first.get(one) <= number);
    const place = number - this.first.get(side);
    const across = this.columns - side + 1;
    return { left: place % across, top: Math.floor(place / across), side, quarters: (action % this.ways) + 1 };
  }

  /** As Kosen Procon 20 writes a turn: the vertex in the middle, the side, quarters clockwise; for pairs as Kosen
   *  Procon 36 does: the upper left cell from 0, the side. */
  name({ left, top, side, quarters }) {
    return this.pairs ? `${left},${top},${side}` : `${left + side / 2},${top + side / 2},${side},${quarters}`;
  }
}

/** A block that one points at: the one with this side around this centre, or the largest that fits there. */
export class Aim {
  constructor(blocks) {
    this.blocks = blocks;
    this.wanted = 2;
    this.pointAt(blocks.columns / 2, blocks.rows / 2);
  }

  /** x, y: in cells from the upper left corner of the board. Blocks of an even side have a vertex in the middle,
   *  those of an odd side a cell. Returns whether the block is another one now. */
  pointAt(x, y) {
    const { rows, columns } = this.blocks;
    const before = this.key();
    Object.assign(this, { x, y });
    const centre = (at, length) => (this.wanted % 2 ? clamp(Math.floor(at), 1, length - 2) + 0.5 : clamp(Math.round(at), 1, length - 1));
    Object.assign(this, { centreX: centre(x, columns), centreY: centre(y, rows) });
    this.side = Math.min(this.wanted, this.largest());
    return this.key() !== before;
  }

  /** One cell on from the block as it is. */
  move(dx, dy) {
    return this.pointAt(this.centreX + dx, this.centreY + dy);
  }

  largest() {
    const { rows, columns } = this.blocks;
    return 2 * Math.min(this.centreX, this.centreY, columns - this.centreX, rows - this.centreY);
  }

  /** by: 1 or -1. Returns whether there is such a block. */
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
    const blocks = [];
    for (let side = this.side % 2 ? 3 : 2; side <= this.largest(); side += 2) blocks.push({ left: centreX - side / 2, top: centreY - side / 2, side });
    return blocks;
  }

  key() {
    return `${this.centreX},${this.centreY},${this.side}`;
  }
}
