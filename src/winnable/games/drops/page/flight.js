// Droplets in the air. The server's frames say over which cells they are; here they are joined into flights and
// drawn on a canvas above the board, together with the rings of bursting cells.

import { sure } from "/static/base/dom.js";
import { settings } from "/static/base/settings.js";
/** @import { Frame } from "./views.js" */

/** Milliseconds for one step of the droplets; a long chain goes faster, and none lasts longer than: */
const STEP = 115;
const LONGEST = 6000;
const FASTEST = 16;
/** How long the ring of a burst is seen. */
const RING = 320;
/** @type {Record<string, number[]>} */
const STEPS = { U: [0, -1], R: [1, 0], D: [0, 1], L: [-1, 0] };

/** What msgspec makes of bytes: base64, one byte for each cell. @param {string} text */
export function readCells(text) {
  return Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** When each frame is shown, in milliseconds. Scans within one tick take a step each, to be seen at all.
 *  @param {Frame[]} frames */
export function showTimes(frames) {
  const steps = frames.slice(1).map((frame, i) => Math.max(1, frame.tick - frames[i].tick));
  const step = Math.max(FASTEST, Math.min(STEP, LONGEST / steps.reduce((sum, n) => sum + n, 0)));
  const times = [0];
  for (const n of steps) times.push(sure(times.at(-1)) + n * step);
  return times;
}

/** @typedef {{ time: number, x: number, y: number }} Point */

/** The way of each droplet, the last point where it is absorbed or has left the board.
 *
 *  Frames list droplets from the oldest to the youngest, so the survivors of a scan come first and in order, and a
 *  burst's four come last. Which of them moved follows from how long droplets wait over a cell: the pair of waits
 *  that explains every frame.
 *  @param {Frame[]} frames @param {number[]} times */
export function flights(frames, times) {
  for (const first of [0, 1, 2]) {
    for (const further of [1, 2]) {
      const ways = joined(frames, times, first, further);
      if (ways) return ways;
    }
  }
  return [];
}

/** first, further: the ticks that a droplet waits where it was born, and over each cell after that. Null when the
 *  frames contradict them.
 *  @param {Frame[]} frames @param {number[]} times @param {number} first @param {number} further */
function joined(frames, times, first, further) {
  /** @type {Point[][]} */
  const ways = [];
  /** @type {{ x: number, y: number, dx: number, dy: number, due: number, way: Point[] }[]} */
  let flying = [];
  for (const [i, frame] of frames.entries()) {
    const survivors = frame.flying.slice(0, frame.flying.length - 4 * frame.burst.length);
    /** @type {typeof flying} */
    const next = [];
    for (const droplet of flying) {
      const { x, y, dx, dy, due, way } = droplet;
      const moves = due <= frame.tick;
      const place = moves ? { x: x + dx, y: y + dy } : { x, y };
      if (moves) way.push({ time: times[i], ...place });
      const found = survivors[next.length];
      const same = found && found.column === place.x && found.row === place.y && [dx, dy].every((step, axis) => step === STEPS[found.direction][axis]);
      if (same) next.push({ ...droplet, ...place, due: moves ? frame.tick + further : due });
      else if (!moves) return null;
    }
    if (next.length < survivors.length) return null;
    for (const { column: x, row: y, direction } of frame.flying.slice(survivors.length)) {
      const [dx, dy] = STEPS[direction];
      const way = [{ time: times[i], x, y }];
      ways.push(way);
      next.push({ x, y, dx, dy, due: frame.tick + first, way });
    }
    flying = next;
  }
  return ways;
}

export class Flight {
  /** The cells that burst of late. @type {{ cell: number, time: number }[]} */
  rings = [];
  over = false;
  colour = "";

  /**
   * show: puts a frame's cells on the board. done: comes after the last, unless it was cut. cleanUp: in any case.
   * @param {{
   *   canvas: HTMLCanvasElement, field: HTMLElement, svg: SVGSVGElement, columns: number, frames: Frame[],
   *   show: (frame: Frame) => void, done: () => void, cleanUp: () => void,
   * }} options
   */
  constructor({ canvas, field, svg, columns, frames, show, done, cleanUp }) {
    this.canvas = canvas;
    // Without one the board alone shows the frames.
    this.context = canvas.getContext("2d");
    this.field = field;
    this.svg = svg;
    this.columns = columns;
    this.frames = frames;
    this.show = show;
    this.done = done;
    this.cleanUp = cleanUp;
    this.times = showTimes(frames);
    this.ways = flights(frames, this.times);
    this.next = 0;
    this.began = performance.now();
    if (this.context) {
      this.fit(this.context);
      this.clipToPool(this.context);
    }
    this.onHide = () => document.hidden && this.finish();
    document.addEventListener("visibilitychange", this.onHide);
    this.tick(this.began);
  }

  /** Canvas pixels follow the board's own coordinates, in cells. @param {CanvasRenderingContext2D} context */
  fit(context) {
    const ratio = devicePixelRatio || 1;
    const box = this.field.getBoundingClientRect();
    const place = sure(this.svg.getScreenCTM());
    this.canvas.width = box.width * ratio;
    this.canvas.height = box.height * ratio;
    context.setTransform(place.a * ratio, 0, 0, place.d * ratio, (place.e - box.left) * ratio, (place.f - box.top) * ratio);
    this.colour = getComputedStyle(this.canvas).color;
  }

  /** What leaves the board is gone at its edge. @param {CanvasRenderingContext2D} context */
  clipToPool(context) {
    /** @type {SVGGraphicsElement | null} */
    const pool = this.svg.querySelector(".pool");
    const { x, y, width, height } = sure(pool).getBBox();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
  }

  /** @param {number} now */
  tick(now) {
    if (this.over) return;
    const time = Math.max(0, now - this.began);
    while (this.next < this.frames.length && this.times[this.next] <= time) this.showNext();
    if (!settings.motion || (this.next === this.frames.length && time > sure(this.times.at(-1)) + RING / 2)) return this.finish();
    this.draw(time);
    requestAnimationFrame((moment) => this.tick(moment));
  }

  showNext() {
    const frame = this.frames[this.next];
    for (const cell of frame.burst) this.rings.push({ cell, time: this.times[this.next] });
    this.next++;
    this.show(frame);
  }

  /** @param {number} time */
  draw(time) {
    const { context, columns } = this;
    if (!context) return;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.restore();
    context.strokeStyle = context.fillStyle = this.colour;
    this.rings = this.rings.filter((ring) => time - ring.time < RING);
    for (const { cell, time: began } of this.rings) drawRing(context, cell % columns, Math.floor(cell / columns), (time - began) / RING);
    for (const way of this.ways) drawDroplet(context, way, time);
  }

  finish() {
    if (this.over) return;
    this.cut();
    this.done();
  }

  /** Ends it where it is; something newer will be shown. */
  cut() {
    this.over = true;
    document.removeEventListener("visibilitychange", this.onHide);
    this.canvas.width = 0;
    this.cleanUp();
  }
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} share */
function drawRing(context, x, y, share) {
  context.globalAlpha = (1 - share) * 0.8;
  context.lineWidth = 0.12 * (1 - share) + 0.02;
  context.beginPath();
  context.arc(x + 0.5, y + 0.5, 0.3 + 0.5 * share, 0, 2 * Math.PI);
  context.stroke();
}

/** @param {CanvasRenderingContext2D} context @param {Point[]} way @param {number} time */
function drawDroplet(context, way, time) {
  const i = way.findIndex((point) => point.time > time);
  if (i < 1) return;
  const [from, to] = [way[i - 1], way[i]];
  const share = (time - from.time) / (to.time - from.time);
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  context.globalAlpha = 1;
  context.beginPath();
  context.ellipse(from.x + dx * share + 0.5, from.y + dy * share + 0.5, dx ? 0.2 : 0.13, dx ? 0.13 : 0.2, 0, 0, 2 * Math.PI);
  context.fill();
}
