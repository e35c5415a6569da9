// Cells of rotate on a canvas: boards go to 64 × 64, and a turn must stay smooth. What stands still is drawn once; a
// block that turns is one picture, with its signs upright on top of it.

import { paintCell, paintSign } from "./palette.js";

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

const ease = (share) => 1 - (1 - share) ** 3;

export class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.still = document.createElement("canvas");
    this.block = document.createElement("canvas");
    this.size = 0;
    this.motion = null;
    this.landedAt = 0;
  }

  /** palette: of the colours on this board. */
  setBoard(rows, columns, palette) {
    this.cut();
    Object.assign(this, { rows, columns, palette, size: 0, cells: null });
  }

  /** width: of the board in CSS pixels. Draws anew when that or the screen has changed. */
  fit(width, afresh = false) {
    if (!width || !this.palette) return;
    const ratio = Math.min(devicePixelRatio || 1, MOST_PIXELS / width, (MOST_PIXELS / width) * (this.columns / this.rows));
    const size = Math.max(2, Math.floor((width / this.columns) * ratio));
    if (size === this.size && !afresh) return;
    this.finish();
    Object.assign(this, { size, ratio });
    this.signed = width / this.columns >= SMALLEST_SIGNED;
    this.ticked = width / this.columns >= SMALLEST_TICKED;
    this.canvas.width = this.columns * size;
    this.canvas.height = this.rows * size;
    this.makeSheets();
    if (this.cells) this.draw();
  }

  makeSheets() {
    const { palette, size } = this;
    this.faces = sheet(palette, size, paintCell);
    this.signs = sheet(palette, size, paintSign);
  }

  /** clusters: the number of each cell's cluster. done: colours that are finished. */
  show(cells, clusters, done) {
    this.cut();
    Object.assign(this, { cells, clusters, done: new Set(done) });
    if (this.size) this.draw();
  }

  draw() {
    const { context } = this;
    this.drawFaces(context, 0, 0, this.columns, this.rows);
    this.drawSigns(context);
    this.drawTicks(context);
  }

  /** Cells of a part of the board, and the lines around clusters. */
  drawFaces(context, left, top, width, height) {
    const { cells, columns, size, palette, faces } = this;
    for (let y = top; y < top + height; y++) {
      for (let x = left; x < left + width; x++) {
        const { index } = palette.of(cells[y * columns + x]);
        context.drawImage(faces, (index % SHEET) * size, Math.floor(index / SHEET) * size, size, size, x * size, y * size, size, size);
      }
    }
    this.drawLines(context, left, top, width, height);
  }

  /** Thin between cells, strong between clusters, strongest around what is finished. */
  drawLines(context, left, top, width, height) {
    const { cells, clusters, columns, rows, size, done } = this;
    const [thin, strong, strongest] = [new Path2D(), new Path2D(), new Path2D()];
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
    for (const [path, share, most, alpha] of [[thin, 0.02, 1, 0.22], [strong, 0.07, 3.5, 1], [strongest, 0.15, 8, 1]]) {
      context.globalAlpha = alpha;
      context.lineWidth = Math.max(1, Math.min(share * size, most * this.ratio));
      context.stroke(path);
    }
    context.restore();
  }

  drawSigns(context) {
    if (!this.signed) return;
    const { cells, columns, size } = this;
    cells.forEach((number, cell) => this.drawSign(context, number, (cell % columns) * size, Math.floor(cell / columns) * size));
  }

  drawSign(context, number, x, y) {
    const { signs, size } = this;
    const { index } = this.palette.of(number);
    context.drawImage(signs, (index % SHEET) * size, Math.floor(index / SHEET) * size, size, size, x, y, size, size);
  }

  /** In the first cell of each finished colour. */
  drawTicks(context) {
    if (!this.ticked) return;
    const { cells, columns, size, done } = this;
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

  /** Turns a block of what is shown; then calls `landed`. from: where it begins, in radians. */
  turn({ left, top, side, quarters, from = 0 }, landed) {
    const { size, columns, rows, still, block } = this;
    const quick = performance.now() - this.landedAt < AT_ONCE;
    this.cut();
    // What is on the canvas is taken as it is: to draw it again would cost the first frames.
    [still.width, still.height] = [columns * size, rows * size];
    const context = still.getContext("2d");
    context.drawImage(this.canvas, 0, 0);
    context.clearRect(left * size, top * size, side * size, side * size);
    block.width = block.height = side * size;
    const turning = block.getContext("2d");
    turning.translate(-left * size, -top * size);
    const upright = this.signed && side * side <= MOST_UPRIGHT;
    if (upright) this.drawFaces(turning, left, top, side, side);
    else turning.drawImage(this.canvas, 0, 0);
    const to = ((quarters === 3 ? -1 : quarters) * Math.PI) / 2;
    this.motion = { left, top, side, upright, from, to, angle: from, began: performance.now(), lasts: quick ? QUICK : TURN, landed };
    this.step(this.motion, this.motion.began);
  }

  step(motion, now) {
    if (this.motion !== motion) return;
    const share = Math.max(0, (now - motion.began) / motion.lasts);
    if (share >= 1 || document.hidden) return this.finish();
    motion.angle = motion.from + (motion.to - motion.from) * ease(share);
    this.drawTurning(motion);
    requestAnimationFrame((moment) => this.step(motion, moment));
  }

  drawTurning({ left, top, side, upright, angle }) {
    const { context, canvas, size, cells, columns } = this;
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

/** A picture of each colour, side by side. */
function sheet(palette, size, paint) {
  const canvas = document.createElement("canvas");
  const numbers = [...palette.looks.keys()];
  canvas.width = Math.min(SHEET, numbers.length) * size;
  canvas.height = Math.ceil(numbers.length / SHEET) * size;
  const context = canvas.getContext("2d");
  numbers.forEach((number, index) => {
    context.save();
    context.translate((index % SHEET) * size, Math.floor(index / SHEET) * size);
    paint(context, palette, number, size);
    context.restore();
  });
  return canvas;
}
