// The sixteen pictures on the tiles, drawn for this project on a 24 × 24 field. Each has its own silhouette,
// so shape alone tells them apart; the colours start from Okabe and Ito's palette for colour-blind eyes.

import { svg } from "/static/base/dom.js";
/** @import { Attributes } from "/static/base/dom.js" */

const INK = "#3b322b";

/** Element, attributes, what is in it. @typedef {[keyof SVGElementTagNameMap, Attributes, Part[]?]} Part */
/** @typedef {Record<"area" | "shine" | "line", (path: string, more?: Attributes) => Part> & Record<"m" | "d" | "l", string> &
 *    { dot: (cx: number, cy: number, r: number, more?: Attributes) => Part }} Pen */

/** `m`, `d`, `l`: main, dark, light colour.
 *  @param {string} m @param {string} d @param {string} l @param {(pen: Pen) => Part[]} parts */
function draw(m, d, l, parts) {
  return parts({
    /** @param {string} path */
    area: (path, more = {}) => ["path", { d: path, fill: m, stroke: d, "stroke-width": 0.9, "stroke-linejoin": "round", ...more }],
    /** @param {string} path */
    shine: (path, more = {}) => ["path", { d: path, fill: "none", stroke: l, "stroke-width": 1.4, "stroke-linecap": "round", ...more }],
    /** @param {string} path */
    line: (path, more = {}) => ["path", { d: path, fill: "none", stroke: d, "stroke-width": 1.3, "stroke-linecap": "round", "stroke-linejoin": "round", ...more }],
    /** @param {number} cx @param {number} cy @param {number} r */
    dot: (cx, cy, r, more = {}) => ["circle", { cx, cy, r, fill: l, ...more }],
    d,
    l,
    m,
  });
}

const LEAF = "M12 12.4C7.6 10.4 6 7.3 7.4 4.8C8.6 2.8 11.2 3 12 5C12.8 3 15.4 2.8 16.6 4.8C18 7.3 16.4 10.4 12 12.4Z";
const PETAL = "M12 11.5C8.4 9.6 7.6 5.8 9.3 3.6C10.6 2 13.4 2 14.7 3.6C16.4 5.8 15.6 9.6 12 11.5Z";
/** @param {number} count @param {number} offset @param {string} path */
const around = (count, offset, path) =>
  Array.from({ length: count }, (_, i) => ({ path, transform: `rotate(${offset + (i * 360) / count} 12 12)` }));

/** Name and drawing. @type {[string, Part[]][]} */
export const GLYPHS = [
  ["clover", draw("#12a374", "#00664a", "#7fdcb9", ({ area, line, shine }) => [
    line("M12 12C12.2 16 13 19.4 15.6 21.8", { "stroke-width": 1.8 }),
    ...around(4, 45, LEAF).map(({ path, transform }) => area(path, { transform })),
    ...around(4, 45, "M12 10.4V8").map(({ path, transform }) => shine(path, { transform, "stroke-width": 1 })),
  ])],
  ["carrot", draw("#ef8b1c", "#ab5400", "#ffd08a", ({ area, line, shine }) => [
    ["g", { transform: "rotate(38 12 12)" }, [
      area("M12 8C9.6 6.8 8 4.2 8.4 1.4C11 2.6 12.2 5 12 8Z", { fill: "#3ba05d", stroke: "#1f6a38" }),
      area("M12 8C14.4 6.8 16 4.2 15.6 1.4C13 2.6 11.8 5 12 8Z", { fill: "#3ba05d", stroke: "#1f6a38" }),
      area("M12 23C8.6 19 6.6 13.8 7 10.6C7.3 8.2 9.4 7.4 12 7.4C14.6 7.4 16.7 8.2 17 10.6C17.4 13.8 15.4 19 12 23Z"),
      line("M7.4 12.6H10.4M16.2 15H13.4M9 17.2H11"),
      shine("M14.6 9.6C15.2 10.6 15.2 11.6 15 12.6"),
    ]],
  ])],
  ["fish", draw("#2a80c5", "#0a4d80", "#a9d6f5", ({ area, line, dot, d }) => [
    area("M1.8 12.2C5 6 12.2 5 17 10.6L22.2 6.2C21.2 10 21.2 14 22.2 18L17 13.6C12.2 19.2 5 18.2 1.8 12.2Z"),
    area("M9.5 7.6C10.6 5 13 4 15 4.4C14.6 6 14.8 7 15 8.4", { fill: "#1a66a3" }),
    line("M10 8.6C11.6 10.8 11.6 13.4 10 15.6"),
    line("M13.4 10.4H14.2M13.4 13.6H14.2", { stroke: "#a9d6f5" }),
    dot(6.4, 10.8, 1.7, { fill: "#fff" }),
    dot(6.2, 10.9, 0.9, { fill: d }),
  ])],
  ["blossom", draw("#e283b4", "#9c3a73", "#fbd9ea", ({ area, shine, dot }) => [
    ...around(5, 0, PETAL).map(({ path, transform }) => area(path, { transform })),
    ...around(5, 0, "M12 5V7").map(({ path, transform }) => shine(path, { transform })),
    dot(12, 12, 2.9, { fill: "#f4d03f", stroke: "#a87a00", "stroke-width": 0.9 }),
  ])],
  ["star", draw("#f6c619", "#a87a00", "#fff0a8", ({ area, shine }) => [
    area("M12 2.2L14.9 8.4L21.7 9.2L16.7 13.9L18 20.6L12 17.3L6 20.6L7.3 13.9L2.3 9.2L9.1 8.4Z", { "stroke-width": 1.4 }),
    shine("M11.6 6.2L10.2 9.6L6.8 10.2"),
  ])],
  ["moon", draw("#6f66c4", "#3b347f", "#c9c4f2", ({ area, shine, dot }) => [
    area("M15.6 2.6A9.8 9.8 0 1 0 21.6 16A8 8 0 0 1 15.6 2.6Z"),
    shine("M5.6 10.4A7 7 0 0 0 8.6 17.8"),
    area("M18.6 5.2L19.4 7L21.4 7.2L19.9 8.6L20.3 10.5L18.6 9.5L16.9 10.5L17.3 8.6L15.8 7.2L17.8 7Z", { fill: "#f6c619", stroke: "#a87a00", "stroke-width": 0.6 }),
    dot(12.4, 15.2, 1, { opacity: 0.6 }),
  ])],
  ["mushroom", draw("#d8442f", "#8a1f10", "#ffffff", ({ area, dot }) => [
    area("M8.8 13C9.2 16 8.6 17.8 8 19.6C7.6 22 16.4 22 16 19.6C15.4 17.8 14.8 16 15.2 13Z", { fill: "#fbeed6", stroke: "#a98a5c" }),
    area("M2 12.8C2 6.6 6.8 2.8 12 2.8C17.2 2.8 22 6.6 22 12.8C22 14.2 20.8 14.4 19.4 14.4H4.6C3.2 14.4 2 14.2 2 12.8Z"),
    dot(7.4, 8.6, 1.9),
    dot(14, 6.4, 1.6),
    dot(18, 10.8, 1.4),
    dot(12, 11.4, 1.3),
  ])],
  ["bell", draw("#cf9434", "#7c4f08", "#f7dc9c", ({ area, shine, dot, d }) => [
    dot(12, 19.6, 2.3, { fill: d }),
    dot(12, 2.9, 1.4, { fill: d }),
    area("M12 3.4C7.8 3.4 6.6 6.8 6.4 10.2C6.2 14 5 15.8 3.2 17.6C2.8 18.6 3.4 18.8 4.2 18.8H19.8C20.6 18.8 21.2 18.6 20.8 17.6C19 15.8 17.8 14 17.6 10.2C17.4 6.8 16.2 3.4 12 3.4Z"),
    shine("M9.2 7.6C8.6 9.4 8.8 12 8 14"),
    ["path", { d: "M5 16.2H19", stroke: d, "stroke-width": 1, fill: "none" }],
  ])],
  ["drop", draw("#56b4e9", "#14699b", "#e2f4ff", ({ area, shine }) => [
    area("M12 1.8C15.4 7.4 19.2 11 19.2 15.2A7.2 7.2 0 0 1 4.8 15.2C4.8 11 8.6 7.4 12 1.8Z"),
    shine("M8 14.4C7.8 17 9.2 18.8 11.4 19.4", { "stroke-width": 1.8 }),
  ])],
  ["paw", draw("#8b5b3d", "#4e2d18", "#d7a98a", ({ area, m, d }) => [
    area("M12 11.6C15.6 11.6 18.6 15.4 18.6 18.2C18.6 20.8 16.4 21.6 14.6 20.8C12.8 20.1 11.2 20.1 9.4 20.8C7.6 21.6 5.4 20.8 5.4 18.2C5.4 15.4 8.4 11.6 12 11.6Z"),
    ...[[4.2, 11, -28], [9, 5.8, -8], [15, 5.8, 8], [19.8, 11, 28]].map(([x, y, turn]) =>
      /** @type {Part} */ (["ellipse", { cx: x, cy: y, rx: 2.2, ry: 3, transform: `rotate(${turn} ${x} ${y})`, fill: m, stroke: d, "stroke-width": 0.9 }])),
  ])],
  ["cherries", draw("#c1174a", "#6e0627", "#ff9db8", ({ area, line, dot }) => [
    line("M14.4 3C11 6.6 8.4 10 7.4 14.4M14.4 3C16.4 6.8 17.4 10.6 17.2 15", { stroke: "#5d6b22", "stroke-width": 1.5 }),
    area("M14.4 3C17.6 1 21 2 22.4 5.4C18.8 7.4 15.8 6.2 14.4 3Z", { fill: "#5aa545", stroke: "#2f6a22" }),
    ["circle", { cx: 7, cy: 16.8, r: 4.9, fill: "#c1174a", stroke: "#6e0627", "stroke-width": 0.9 }],
    ["circle", { cx: 17.2, cy: 17.6, r: 4.6, fill: "#c1174a", stroke: "#6e0627", "stroke-width": 0.9 }],
    dot(5.4, 15.2, 1.2),
    dot(15.8, 16.2, 1.1),
  ])],
  ["cup", draw("#1d9ba1", "#085a5f", "#b4ebec", ({ area, line, shine }) => [
    line("M16.8 10.6H18.6A3.1 3.1 0 0 1 18.6 17H16", { "stroke-width": 2.4 }),
    area("M3.4 8.4H17.2V16.4A5 5 0 0 1 12.2 21.4H8.4A5 5 0 0 1 3.4 16.4Z"),
    shine("M6.2 11.4V16"),
    line("M7.4 1.8C5.8 3.4 9 4.4 7.4 6.2M12.6 1.8C11 3.4 14.2 4.4 12.6 6.2", { stroke: "#7f9aa0" }),
  ])],
  ["tree", draw("#2f7a45", "#173f23", "#7cc492", ({ area, shine }) => [
    area("M10.4 18H13.6V22.2H10.4Z", { fill: "#8b5b3d", stroke: "#4e2d18" }),
    area("M12 1.6L17.2 8.2H15L19.2 13.4H16.6L21 18.8H3L7.4 13.4H4.8L9 8.2H6.8Z"),
    shine("M11.4 5L9.8 7M9.6 10.4L8.4 12M8.6 15.6L7.2 17.2"),
  ])],
  ["umbrella", draw("#a35bc6", "#5f2782", "#e7c8f5", ({ area, line, shine }) => [
    line("M12 11.4V18.8A2.4 2.4 0 0 0 16.8 18.8", { "stroke-width": 1.7, stroke: INK }),
    line("M12 1.6V3.6", { "stroke-width": 1.7, stroke: INK }),
    area("M2 13C2.4 6.8 6.8 3.4 12 3.4C17.2 3.4 21.6 6.8 22 13C20.4 11.2 18.2 11.2 17 13C15.4 11.2 13.4 11.2 12 13C10.6 11.2 8.6 11.2 7 13C5.8 11.2 3.6 11.2 2 13Z"),
    line("M12 3.6C9.4 6 7.6 9 7 12.6M12 3.6C14.6 6 16.4 9 17 12.6", { "stroke-width": 0.8 }),
    shine("M4.6 9.4C5.2 8 6 7 7 6.2"),
  ])],
  ["heart", draw("#e6503c", "#931f10", "#ffc2b6", ({ area, shine }) => [
    area("M12 21.4C5 16 2 12.6 2 8.6C2 5.2 4.6 2.9 7.4 2.9C9.5 2.9 11.2 4.1 12 5.9C12.8 4.1 14.5 2.9 16.6 2.9C19.4 2.9 22 5.2 22 8.6C22 12.6 19 16 12 21.4Z"),
    shine("M5 9.4C4.8 7.4 5.8 6 7.4 5.8", { "stroke-width": 1.8 }),
  ])],
  ["gem", draw("#a7bccd", "#46617b", "#f3f9fd", ({ area, line, l }) => [
    area("M6.4 3.4H17.6L22.4 9.4L12 21.8L1.6 9.4Z", { "stroke-width": 1.2 }),
    ["path", { d: "M8.2 9.4L6.4 3.4L1.6 9.4ZM8.2 9.4H15.8L12 3.4Z", fill: l, opacity: 0.85 }],
    line("M1.6 9.4H22.4M6.4 3.4L8.2 9.4L12 21.6L15.8 9.4L17.6 3.4M8.2 9.4L12 3.6L15.8 9.4", { "stroke-width": 0.8 }),
  ])],
];

/** @param {Part} part @returns {SVGElement} */
function build([tag, attributes, children = []]) {
  return svg(tag, attributes, ...children.map(build));
}

/** Beyond sixteen kinds the same pictures come again on tinted tiles, with a number in the corner.
 *  @param {number} kind */
export function glyphOf(kind) {
  return { shape: kind % GLYPHS.length, style: Math.floor(kind / GLYPHS.length) % 4, name: GLYPHS[kind % GLYPHS.length][0] };
}

/** What all tiles are made of, once per page: `#tile-…` by `use`. Colours come from the stylesheet. */
export function defineTiles() {
  if (document.getElementById("tile-defs")) return;
  const defs = svg("defs", {},
    svg("linearGradient", { id: "tile-light", x1: 0, y1: 0, x2: 0, y2: 1 },
      svg("stop", { offset: 0, class: "tile-stop-top" }), svg("stop", { offset: 1, class: "tile-stop-bottom" })),
    svg("g", { id: "tile-body" },
      svg("rect", { class: "tile-shadow", x: 0.3, y: 0.9, width: 7.7, height: 8, rx: 1.5 }),
      svg("rect", { class: "tile-side", x: 0.1, y: 0.3, width: 7.8, height: 8.1, rx: 1.4 }),
      svg("rect", { class: "tile-rim", x: 0.1, y: 0.1, width: 7.8, height: 7.7, rx: 1.35 }),
      svg("rect", { fill: "url(#tile-light)", x: 0.32, y: 0.28, width: 7.36, height: 7.2, rx: 1.15 }),
      svg("rect", { class: "tile-tint", x: 0.32, y: 0.28, width: 7.36, height: 7.2, rx: 1.15 })),
    svg("g", { id: "tile-back" },
      svg("rect", { class: "tile-back-field", x: 0.9, y: 0.86, width: 6.2, height: 6.04, rx: 0.8 }),
      svg("path", { class: "tile-back-lines", d: "M4 1.6L6.4 3.9L4 6.2L1.6 3.9ZM4 2.9L5 3.9L4 4.9L3 3.9ZM1.5 1.5H2.4M5.6 1.5H6.5M1.5 6.3H2.4M5.6 6.3H6.5" })),
    ...GLYPHS.map(([name, parts], shape) => svg("g", { id: `glyph-${shape}`, class: `glyph-${name}` }, ...parts.map(build))),
  );
  document.body.append(svg("svg", { id: "tile-defs", width: 0, height: 0, "aria-hidden": "true", class: "defs" }, defs));
}

/** The picture of a tile, 8 × 8 units; `kind` null shows its back. @param {number | null} kind */
export function tilePicture(kind) {
  /** @type {SVGElement[]} */
  const parts = [svg("use", { href: "#tile-body" })];
  if (kind === null) parts.push(svg("use", { href: "#tile-back" }));
  else {
    const { shape, style } = glyphOf(kind);
    parts.push(svg("use", { href: `#glyph-${shape}`, transform: "translate(0.88 0.76) scale(0.26)" }));
    if (style) {
      parts.push(svg("circle", { class: "tile-badge", cx: 6.5, cy: 1.5, r: 1.05 }));
      const label = svg("text", { class: "tile-badge-text", x: 6.5, y: 2.02, "text-anchor": "middle" });
      label.textContent = String(style + 1);
      parts.push(label);
    }
  }
  return parts;
}
