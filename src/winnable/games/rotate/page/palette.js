// How the cells of rotate look. The first eight colours are those of Okabe and Ito (Color Universal Design, 2008),
// with grey for black, so that colour-blind people can tell them apart; each colour has a pattern and a sign as well.

import { on } from "/static/base/bus.js";
import { sure } from "/static/base/dom.js";
import { isDark } from "/static/base/settings.js";

const BASE = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#a8b0b5"];
/** Colours beyond the first eight are those, lighter and darker. @type {([string, number] | null)[]} */
const TINTS = [null, ["#ffffff", 0.5], ["#101815", 0.42], ["#ffffff", 0.75]];
const HUE_STEP = 137.508;
const INK = "#10201a";
/** On dark pages they do not glare. */
const DIMMED = 0.14;
const SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** @param {string} hex */
function channels(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

/** @param {string} one @param {string} other @param {number} share */
function mixed(one, other, share) {
  const [a, b] = [channels(one), channels(other)];
  return `#${a.map((value, i) => Math.round(value + (b[i] - value) * share).toString(16).padStart(2, "0")).join("")}`;
}

/** @param {string} hex */
function isLight(hex) {
  const [red, green, blue] = channels(hex);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 128;
}

/** @param {number} hue @param {number} lightness */
function fromHue(hue, lightness) {
  const part = (/** @type {number} */ n) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness - 0.52 * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))).toString(16).padStart(2, "0");
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}

/** The look of each colour that is there; `listener` hears when the page may have turned dark or light. */
export class Palette {
  /** @param {number[]} cells @param {boolean} pairs */
  constructor(cells, pairs, listener = () => {}) {
    this.forget = on("settings", listener);
    const numbers = [...new Set(cells)].sort((a, b) => a - b);
    const plain = pairs || (numbers.at(-1) ?? 0) >= SIGNS.length;
    this.looks = new Map(numbers.map((number, index) => [number, { index, sign: plain ? String(number) : SIGNS[number], ...(pairs ? labelLook(index) : colourLook(index)) }]));
  }

  /** @param {number} number */
  of(number) {
    return sure(this.looks.get(number));
  }

  /** @param {number} number */
  fill(number) {
    const { fill } = this.of(number);
    return isDark() ? mixed(fill, "#000000", DIMMED) : fill;
  }
}

/** @param {number} index */
function colourLook(index) {
  const tint = TINTS[Math.floor(index / BASE.length) % TINTS.length];
  const fill = tint ? mixed(BASE[index % BASE.length], ...tint) : BASE[index % BASE.length];
  return { fill, ink: isLight(fill) ? INK : "#ffffff", pattern: index % PATTERNS.length };
}

/** Labels are told apart by their numbers; the golden angle keeps neighbouring ones apart. @param {number} index */
function labelLook(index) {
  return { fill: fromHue((index * HUE_STEP) % 360, 0.78 - 0.09 * (index % 3)), ink: INK, pattern: 0 };
}

/** @typedef {[number, number][]} Points */

/** Each looks the same after a quarter turn, so that nothing jumps when a block comes to rest; the middle stays free
 *  for the sign. Drawn on a cell from 0 to 1. @type {((context: CanvasRenderingContext2D) => void)[]} */
const PATTERNS = [
  () => {},
  (context) => [0.16, 0.84].forEach((x) => [0.16, 0.84].forEach((y) => dot(context, x, y, 0.09))),
  (context) => ring(context, () => context.arc(0.5, 0.5, 0.4, 0, 2 * Math.PI)),
  (context) => ring(context, () => spokes(context, [[0.04, 0.04], [0.96, 0.04], [0.96, 0.96], [0.04, 0.96]], 0.36)),
  (context) => ring(context, () => spokes(context, [[0.5, 0], [1, 0.5], [0.5, 1], [0, 0.5]], 0.3)),
  (context) => ring(context, () => context.rect(0.14, 0.14, 0.72, 0.72)),
  (context) => ring(context, () => polygon(context, [[0.5, 0.04], [0.96, 0.5], [0.5, 0.96], [0.04, 0.5]])),
  (context) => [[0, 0], [1, 0], [1, 1], [0, 1]].forEach(([x, y]) => corner(context, x, y)),
  (context) => [[0.5, 0.1], [0.9, 0.5], [0.5, 0.9], [0.1, 0.5]].forEach(([x, y]) => dot(context, x, y, 0.08)),
];

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} radius */
function dot(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** @param {CanvasRenderingContext2D} context @param {() => void} draw */
function ring(context, draw) {
  context.beginPath();
  draw();
  context.stroke();
}

/** From points at the edge towards the middle.
 *  @param {CanvasRenderingContext2D} context @param {Points} points @param {number} share */
function spokes(context, points, share) {
  for (const [x, y] of points) {
    context.moveTo(x, y);
    context.lineTo(x + (0.5 - x) * 2 * share * 0.8, y + (0.5 - y) * 2 * share * 0.8);
  }
}

/** @param {CanvasRenderingContext2D} context @param {Points} points */
function polygon(context, points) {
  points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y */
function corner(context, x, y) {
  context.beginPath();
  polygon(context, [[x, y], [x + (x ? -0.3 : 0.3), y], [x, y + (y ? -0.3 : 0.3)]]);
  context.fill();
}

/** A cell without its sign, in the square from (0, 0) to (size, size).
 *  @param {CanvasRenderingContext2D} context @param {Palette} palette @param {number} number @param {number} size */
export function paintCell(context, palette, number, size) {
  const { ink, pattern } = palette.of(number);
  context.fillStyle = palette.fill(number);
  context.fillRect(0, 0, size, size);
  context.save();
  context.scale(size, size);
  context.globalAlpha = 0.34;
  context.lineWidth = 0.08;
  context.fillStyle = context.strokeStyle = ink;
  PATTERNS[pattern](context);
  context.restore();
}

/** The sign in the middle of such a square.
 *  @param {CanvasRenderingContext2D} context @param {Palette} palette @param {number} number @param {number} size */
export function paintSign(context, palette, number, size) {
  const { ink, sign } = palette.of(number);
  context.fillStyle = ink;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.font = `650 ${size * [0.5, 0.46, 0.38, 0.3][Math.min(3, sign.length - 1)]}px system-ui, sans-serif`;
  const { actualBoundingBoxAscent: above, actualBoundingBoxDescent: below } = context.measureText(/[a-z]/.test(sign) ? sign : "0");
  context.fillText(sign, size / 2, size / 2 + (above - below) / 2);
}
