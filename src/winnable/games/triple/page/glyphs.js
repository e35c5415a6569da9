// The sixteen pictures on the tiles, drawn for this project on a 24 × 24 field (glyphs.json, which pictures of boards are made
// of too). Each has its own silhouette, so shape alone tells them apart; the colours start from Okabe and Ito's palette for
// colour-blind eyes.

import { svg } from "/static/base/dom.js";
/** @import { Attributes } from "/static/base/dom.js" */
/** @import { Translate } from "/static/boards/board.js" */

/** Element, attributes, what is in it. @typedef {[keyof SVGElementTagNameMap, Attributes, Part[]?]} Part */

/** Name and drawing. @type {[string, Part[]][]} */
export const GLYPHS = await (await fetch(new URL("glyphs.json", import.meta.url))).json();

/** @param {Part} part @returns {SVGElement} */
function build([tag, attributes, children = []]) {
  return svg(tag, attributes, ...children.map(build));
}

/** Beyond sixteen kinds the same pictures come again on tinted tiles, with a number in the corner.
 *  @param {number} kind */
export function glyphOf(kind) {
  return { shape: kind % GLYPHS.length, style: Math.floor(kind / GLYPHS.length) % 4, name: GLYPHS[kind % GLYPHS.length][0] };
}

/** @param {Translate} t @param {number} kind */
export function tileName(t, kind) {
  const { name, style } = glyphOf(kind);
  return style ? t("tile.numbered", { name: t(`tile.${name}`), n: style + 1 }) : t(`tile.${name}`);
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
