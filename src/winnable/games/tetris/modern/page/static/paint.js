// Draws the board, the piece held and the next ones on canvases, once for each frame of the screen at most.

import { onResize } from "/static/base/browser.js";
import { $, sure } from "/static/base/dom.js";
import { settings } from "/static/base/settings.js";
import { on } from "./bus.js";
import { options } from "./options.js";
import { cabinet, rules } from "./state.js";

const WIDTH = 10;
const VISIBLE = 20;
/** Pieces appear in the two rows above the board. */
const ABOVE = 2;
const FLASH = 220;

/** Apart in lightness as well as in hue. @type {Record<string, string>} */
const COLOURS = { I: "#5ad1e6", O: "#f2d14b", T: "#b06fdc", S: "#6cc65a", Z: "#e0524f", J: "#4a78dd", L: "#f0963c", X: "#8b938f" };
/** @type {Record<string, string>} */
const INK = { I: "#06343d", O: "#4a3a00", T: "#26063b", S: "#0c3105", Z: "#fff", J: "#fff", L: "#452300", X: "#fff" };

/** The article's: the piece is orange, the wall blue. */
const ARTICLE = { piece: ["#ffa500", "#3a2500"], wall: ["#0000ff", "#fff"] };

/** [colour, ink] of a cell. @param {string} letter @param {boolean} isWall */
function coloursOf(letter, isWall) {
  if (rules() === "article") return ARTICLE[isWall ? "wall" : "piece"];
  return [COLOURS[letter], INK[letter]];
}

let dirty = false;
/** @type {{ rows: number[], began: number }[]} */
let flashes = [];

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string} letter
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function cell(pen, letter, x, y, size, { ghost = false, wall = false } = {}) {
  const [colour, ink] = coloursOf(letter, wall);
  const gap = Math.max(0.5, size * 0.04);
  const side = size - 2 * gap;
  pen.beginPath();
  pen.roundRect(x + gap, y + gap, side, side, size * 0.14);
  if (ghost) {
    pen.globalAlpha = 0.16;
    pen.fillStyle = colour;
    pen.fill();
    pen.globalAlpha = 0.85;
    pen.lineWidth = Math.max(1, size * 0.07);
    pen.strokeStyle = colour;
    pen.stroke();
    pen.globalAlpha = 1;
    return;
  }
  pen.fillStyle = colour;
  pen.fill();
  pen.fillStyle = "#ffffff38";
  pen.beginPath();
  pen.roundRect(x + gap, y + gap, side, side * 0.28, [size * 0.14, size * 0.14, 0, 0]);
  pen.fill();
  if (!options.looks.letters) return;
  pen.fillStyle = ink;
  pen.font = `700 ${Math.round(size * 0.62)}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(letter, x + size / 2, y + size * 0.54);
}

/** Where the bot would put the piece: the edge of its cells, over everything else.
 *  @param {CanvasRenderingContext2D} pen @param {[number, number][]} cells @param {number} size
 *  @param {(y: number) => number} top */
function outline(pen, cells, size, top) {
  /** @param {number} x @param {number} y */
  const has = (x, y) => cells.some(([a, b]) => a === x && b === y);
  pen.beginPath();
  for (const [x, y] of cells) {
    const [left, up, right, down] = [x * size, top(y), (x + 1) * size, top(y) + size];
    for (const [dx, dy, ...line] of [[-1, 0, left, up, left, down], [1, 0, right, up, right, down], [0, 1, left, up, right, up], [0, -1, left, down, right, down]]) {
      if (has(x + dx, y + dy)) continue;
      pen.moveTo(line[0], line[1]);
      pen.lineTo(line[2], line[3]);
    }
  }
  pen.lineCap = "round";
  pen.setLineDash([size * 0.28, size * 0.24]);
  for (const [width, colour] of /** @type {[number, string][]} */ ([[0.2, "#000a"], [0.1, "#fff"]])) {
    pen.lineWidth = size * width;
    pen.strokeStyle = colour;
    pen.stroke();
  }
  pen.setLineDash([]);
}

/** The canvas's context in CSS pixels, its bitmap as fine as the screen. @param {HTMLCanvasElement} canvas */
function prepared(canvas) {
  const ratio = devicePixelRatio || 1;
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const pen = sure(canvas.getContext("2d"));
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  return pen;
}

/** @param {number} now */
function drawBoard(now) {
  const canvas = $("board");
  const pen = prepared(canvas);
  const size = canvas.clientWidth / WIDTH;
  /** @param {number} y */
  const top = (y) => (VISIBLE + ABOVE - 1 - y) * size;
  pen.fillStyle = "#12211c";
  pen.beginPath();
  pen.roundRect(0, ABOVE * size, WIDTH * size, VISIBLE * size, 6);
  pen.fill();
  pen.strokeStyle = "#8aa398";
  pen.lineWidth = 1;
  pen.stroke();
  if (options.looks.grid) {
    pen.strokeStyle = "#ffffff14";
    pen.lineWidth = 1;
    pen.beginPath();
    for (let x = 1; x < WIDTH; x++) pen.rect(x * size, ABOVE * size, 0, VISIBLE * size);
    for (let y = 1; y < VISIBLE; y++) pen.rect(0, (y + ABOVE) * size, WIDTH * size, 0);
    pen.stroke();
  }
  const { seen } = cabinet;
  if (!seen) return;
  seen.rows.forEach((row, index) => {
    for (let x = 0; x < WIDTH; x++) if (row[x] !== ".") cell(pen, row[x], x * size, (index + ABOVE) * size, size, { wall: true });
  });
  if (options.looks.ghost && rules() === "guideline") for (const [x, y] of seen.ghost) cell(pen, seen.piece, x * size, top(y), size, { ghost: true });
  for (const [x, y] of seen.cells) cell(pen, seen.piece, x * size, top(y), size);
  if (cabinet.hint) outline(pen, cabinet.hint.cells, size, top);
  canvas.dataset.hint = cabinet.hint?.cells.join(" ") ?? "";
  flashes = flashes.filter(({ began }) => now - began < FLASH);
  for (const { rows, began } of flashes) {
    pen.globalAlpha = 0.75 * (1 - (now - began) / FLASH);
    pen.fillStyle = "#fff";
    for (const y of rows) pen.fillRect(0, top(y), WIDTH * size, size);
    pen.globalAlpha = 1;
  }
  // For tests and tools: what is on the screen now.
  canvas.dataset.frame = String(cabinet.frame);
  canvas.dataset.cells = seen.cells.join(" ");
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{ piece: string, turn: number, faint?: boolean }[]} pieces
 * @param {number} rows
 */
function drawAside(canvas, pieces, rows) {
  const pen = prepared(canvas);
  const size = Math.min(canvas.clientWidth / 4.4, canvas.clientHeight / rows);
  pieces.forEach(({ piece, turn, faint }, index) => {
    const cells = cabinet.shapes[piece][turn];
    const [xs, ys] = [cells.map(([x]) => x), cells.map(([, y]) => y)];
    const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const x0 = canvas.clientWidth / 2 - ((right - left + 1) / 2) * size;
    const middle = (rows / Math.max(1, pieces.length)) * (index + 0.5) * size;
    const y0 = middle - ((high - low + 1) / 2) * size;
    pen.globalAlpha = faint ? 0.35 : 1;
    for (const [x, y] of cells) cell(pen, piece, x0 + (x - left) * size, y0 + (high - y) * size, size);
    pen.globalAlpha = 1;
  });
  canvas.dataset.pieces = pieces.map(({ piece }) => piece).join("");
}

/** @param {number} now */
function drawAll(now) {
  dirty = false;
  drawBoard(now);
  const { seen } = cabinet;
  if (seen) {
    drawAside($("hold"), seen.hold ? [{ piece: seen.hold, turn: 0, faint: !seen.can_hold }] : [], 2.6);
    drawAside($("next"), seen.following.map(([piece, turn]) => ({ piece, turn })), rules() === "article" ? 4 : 13);
  }
  if (flashes.length) redraw();
}

/** With the next frame of the screen. */
export function redraw() {
  if (dirty) return;
  dirty = true;
  requestAnimationFrame(drawAll);
}

export function mountPaint() {
  on("arcade-table arcade-options settings", redraw);
  on("arcade-seen arcade-hint arcade-bot", redraw);
  on("arcade-event", ({ cleared }) => {
    if (cleared && settings.motion) flashes.push({ rows: cleared, began: performance.now() });
  });
  for (const canvas of [$("board"), $("hold"), $("next")]) onResize(canvas, redraw);
}
