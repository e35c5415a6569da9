// Cells of rotate on a canvas: boards go to 64 × 64, and a turn must stay smooth. What stands still is drawn once; a
// block that turns is one picture, with its signs upright on top of it.

import { sure } from "/static/base/dom.js";
import { paintCell, paintSign } from "./palette.js";
/** @import { Block, Turn } from "./blocks.js" */
/** @import { Palette } from "./palette.js" */

/** Milliseconds of a turn; and of one that follows at once, as when somebody watches. */
const TURN = 220;
const QUICK = 150;
const AT_ONCE = 120;
/** Pixels of the canvas: more would cost memory that nobody sees. */
const MOST_PIXELS = 4096;
/** CSS pixels of the smallest cell with a sign, and with a tick. */
const SMALLEST_SIGNED = 9;
const SMALLEST_TICKED = 20;
/** As many signs are kept upright while a block turns; more would make a frame too long, and nobody reads them. */
const MOST_UPRIGHT = 1024;
/** Cells in a row of the sheets that hold a picture of each colour. */
const SHEET = 32;
const LINE = "#101815";

/** @param {number} share */
const ease = (share) => 1 - (1 - share) ** 3;

/** angle: how far it is, from `from` to `to`; began, lasts: milliseconds.
 *  @typedef {Block & Record<"from" | "to" | "angle" | "began" | "lasts", number> & { upright: boolean, landed: () => void }} Moving */

export class Painter {
  still = document.createElement("canvas");
  block = document.createElement("canvas");
  rows = 0;
  columns = 0;
  /** Canvas pixels of a cell, and of a CSS pixel; 0: nothing was drawn yet. */
  size = 0;
  ratio = 1;
  /** @type {Palette} */
  palette;
  /** null: nothing was shown yet. @type {number[] | null} */
  cells = null;
  /** The number of each cell's cluster. @type {number[]} */
  clusters = [];
  /** Colours that are finished. @type {Set<number>} */
  done = new Set();
  /** Whether there is room for signs, and for ticks. */
  signed = false;
  ticked = false;
  /** A picture of each colour. @type {HTMLCanvasElement} */
  faces;
  /** @type {HTMLCanvasElement} */
  signs;
  /** The block that turns. @type {Moving | null} */
  motion = null;
  landedAt = 0;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = contextOf(canvas);
  }

  /** palette: of the colours on this board. @param {number} rows @param {number} columns @param {Palette} palette */
  setBoard(rows, columns, palette) {
    this.cut();
    this.rows = rows;
    this.columns = columns;
    this.palette = palette;
    this.size = 0;
    this.cells = null;
  }

  /** width: of the board in CSS pixels. Draws anew when that or the screen has changed. @param {number} width */
  fit(width, afresh = false) {
    if (!width || !this.palette) return;
    const ratio = Math.min(devicePixelRatio || 1, MOST_PIXELS / width, (MOST_PIXELS / width) * (this.columns / this.rows));
    const size = Math.max(2, Math.floor((width / this.columns) * ratio));
    if (size === this.size && !afresh) return;
    this.finish();
    this.size = size;
    this.ratio = ratio;
    this.signed = width / this.columns >= SMALLEST_SIGNED;
    this.ticked = width / this.columns >= SMALLEST_TICKED;
    this.canvas.width = this.columns * size;
    this.canvas.height = this.rows * size;
    this.makeSheets();
    this.draw();
  }

  makeSheets() {
    const { palette, size } = this;
    this.faces = sheet(palette, size, paintCell);
    this.signs = sheet(palette, size, paintSign);
  }

  /** @param {number[]} cells @param {number[]} clusters @param {number[]} done */
  show(cells, clusters, done) {
    this.cut();
    this.cells = cells;
    this.clusters = clusters;
    this.done = new Set(done);
    this.draw();
  }

  draw() {
    const { cells, context } = this;
    if (!this.size || !cells) return;
    this.drawFaces(context, cells, 0, 0, this.columns, this.rows);
    this.drawSigns(context, cells);
    this.drawTicks(context, cells);
  }

  /** Cells of a part of the board, and the lines around clusters.
   *  @param {CanvasRenderingContext2D} context @param {number[]} cells @param {number} left @param {number} top
   *  @param {number} width @param {number} height */
  drawFaces(context, cells, left, top, width, height) {
    const { columns, size, palette, faces } = this;
    for (let y = top; y < top + height; y++) {
      for (let x = left; x < left + width; x++) {
        const { index } = palette.of(cells[y * columns + x]);
        context.drawImage(faces, (index % SHEET) * size, Math.floor(index / SHEET) * size, size, size, x * size, y * size, size, size);
      }
    }
    this.drawLines(context, cells, left, top, width, height);
  }

  /** Thin between cells, strong between clusters, strongest around what is finished.
   *  @param {CanvasRenderingContext2D} context @param {number[]} cells @param {number} left @param {number} top
   *  @param {number} width @param {number} height */
  drawLines(context, cells, left, top, width, height) {
    const { clusters, columns, rows, size, done } = this;
    const [thin, strong, strongest] = [new Path2D(), new Path2D(), new Path2D()];
    /** @param {number} one @param {number} other @param {boolean} inside */
    const side = (one, other, inside) => {
      if (inside && clusters[one] === clusters[other]) return thin;
      return done.has(cells[one]) || (inside && done.has(cells[other])) ? strongest : strong;
    };
    for (let y = top; y <= top + height; y++) {
      for (let x = left; x <= left + width; x++) {
        const here = Math.min(y, rows - 1) * columns + Math.min(x, columns - 1);
        if (y < top + height) {
          const path = side(here, here - 1, x > 0 && x < columns);
          path.moveTo(x * size, y * size);
          path.lineTo(x * size, (y + 1) * size);
        }
        if (x < left + width) {
          const path = side(here, here - columns, y > 0 && y < rows);
          path.moveTo(x * size, y * size);
          path.lineTo((x + 1) * size, y * size);
        }
      }
    }
    context.save();
    context.strokeStyle = LINE;
    context.lineCap = "square";
    const strokes = /** @type {[Path2D, number, number, number][]} */ ([[thin, 0.02, 1, 0.22], [strong, 0.07, 3.5, 1], [strongest, 0.15, 8, 1]]);
    for (const [path, share, most, alpha] of strokes) {
      context.globalAlpha = alpha;
      context.lineWidth = Math.max(1, Math.min(share * size, most * this.ratio));
      context.stroke(path);
    }
    context.restore();
  }

  /** @param {CanvasRenderingContext2D} context @param {number[]} cells */
  drawSigns(context, cells) {
    if (!this.signed) return;
    const { columns, size } = this;
    cells.forEach((number, cell) => this.drawSign(context, number, (cell % columns) * size, Math.floor(cell / columns) * size));
  }

  /** @param {CanvasRenderingContext2D} context @param {number} number @param {number} x @param {number} y */
  drawSign(context, number, x, y) {
    const { signs, size } = this;
    const { index } = this.palette.of(number);
    context.drawImage(signs, (index % SHEET) * size, Math.floor(index / SHEET) * size, size, size, x, y, size, size);
  }

  /** In the first cell of each finished colour. @param {CanvasRenderingContext2D} context @param {number[]} cells */
  drawTicks(context, cells) {
    if (!this.ticked) return;
    const { columns, size, done } = this;
    for (const number of done) {
      const cell = cells.indexOf(number);
      context.save();
      context.translate((cell % columns) * size, Math.floor(cell / columns) * size);
      context.scale(size, size);
      context.fillStyle = LINE;
      context.fillRect(0, 0, 0.36, 0.36);
      context.strokeStyle = "#ffffff";
      context.lineWidth = 0.06;
      context.beginPath();
      context.moveTo(0.1, 0.19);
      context.lineTo(0.17, 0.26);
      context.lineTo(0.29, 0.11);
      context.stroke();
      context.restore();
    }
  }

  /** Turns a block of what is shown; then calls `landed`. from: where it begins, in radians.
   *  @param {Turn & { from?: number }} turn @param {() => void} landed */
  turn({ left, top, side, quarters, from = 0 }, landed) {
    const { size, columns, rows, still, block } = this;
    const quick = performance.now() - this.landedAt < AT_ONCE;
    this.cut();
    // What is on the canvas is taken as it is: to draw it again would cost the first frames.
    [still.width, still.height] = [columns * size, rows * size];
    const context = contextOf(still);
    context.drawImage(this.canvas, 0, 0);
    context.clearRect(left * size, top * size, side * size, side * size);
    block.width = block.height = side * size;
    const turning = contextOf(block);
    turning.translate(-left * size, -top * size);
    const upright = this.signed && side * side <= MOST_UPRIGHT;
    if (upright) this.drawFaces(turning, sure(this.cells), left, top, side, side);
    else turning.drawImage(this.canvas, 0, 0);
    const to = ((quarters === 3 ? -1 : quarters) * Math.PI) / 2;
    this.motion = { left, top, side, upright, from, to, angle: from, began: performance.now(), lasts: quick ? QUICK : TURN, landed };
    this.step(this.motion, this.motion.began);
  }

  /** @param {Moving} motion @param {number} now */
  step(motion, now) {
    if (this.motion !== motion) return;
    const share = Math.max(0, (now - motion.began) / motion.lasts);
    if (share >= 1 || document.hidden) return this.finish();
    motion.angle = motion.from + (motion.to - motion.from) * ease(share);
    this.drawTurning(motion);
    requestAnimationFrame((moment) => this.step(motion, moment));
  }

  /** @param {Moving} motion */
  drawTurning({ left, top, side, upright, angle }) {
    const { context, canvas, size, columns } = this;
    const cells = sure(this.cells);
    const [x, y] = [(left + side / 2) * size, (top + side / 2) * size];
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.still, 0, 0);
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    context.drawImage(this.block, (-side * size) / 2, (-side * size) / 2);
    context.restore();
    if (!upright) return;
    const [cosine, sine] = [Math.cos(angle) * size, Math.sin(angle) * size];
    for (let row = 0; row < side; row++) {
      for (let column = 0; column < side; column++) {
        const [dx, dy] = [column + 0.5 - side / 2, row + 0.5 - side / 2];
        this.drawSign(context, cells[(top + row) * columns + left + column], x + dx * cosine - dy * sine - size / 2, y + dx * sine + dy * cosine - size / 2);
      }
    }
  }

  /** Ends the turn where it leads to. */
  finish() {
    const { motion } = this;
    if (!motion) return;
    this.cut();
    this.landedAt = performance.now();
    motion.landed();
  }

  /** Ends it where it is; something newer will be shown. */
  cut() {
    this.motion = null;
  }
}

/** @param {HTMLCanvasElement} canvas */
const contextOf = (canvas) => sure(canvas.getContext("2d"));

/** A picture of each colour, side by side.
 *  @param {Palette} palette @param {number} size @param {typeof paintCell} paint */
function sheet(palette, size, paint) {
  const canvas = document.createElement("canvas");
  const numbers = [...palette.looks.keys()];
  canvas.width = Math.min(SHEET, numbers.length) * size;
  canvas.height = Math.ceil(numbers.length / SHEET) * size;
  const context = contextOf(canvas);
  numbers.forEach((number, index) => {
    context.save();
    context.translate((index % SHEET) * size, Math.floor(index / SHEET) * size);
    paint(context, palette, number, size);
    context.restore();
  });
  return canvas;
}
