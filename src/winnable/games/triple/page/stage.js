// What a drawing of triple looks like: the field with its grid, the tiles by layers, what is selected, and the cursor.

import { pointIn } from "/static/base/grid.js";
import { svg } from "/static/base/dom.js";
import { glyphOf, tilePicture } from "./glyphs.js";
import { liftOf, MOST_LIFT, SIDE, STEP } from "./places.js";
/** @import { Field, Point, Tile } from "./places.js" */
/** @import { Sketch } from "./sketch.js" */

const LARGEST_TILE = 64;
const PAD = 1;
/** So many tiles are drawn up to the layer that is drawn on, the highest ones, and so many above it. */
const MOST_DRAWN = 1500;

/** above: whether the layers above it are seen. band: the rectangle under way
 *  @typedef {{ layer: number, above: boolean, selected: Set<Tile>, marked: Set<Tile>, cursor: Point, band: Field | null }} Look */

export class Stage {
  /** @type {Map<Tile, SVGGElement>} */
  nodes = new Map();
  lift = 0;
  layer = 0;

  constructor() {
    const grid = svg("pattern", { id: "triple-grid", width: SIDE, height: SIDE, patternUnits: "userSpaceOnUse" },
      svg("path", { class: "triple-half", d: `M${STEP} 0V${SIDE}M0 ${STEP}H${SIDE}` }), svg("path", { class: "triple-whole", d: `M0 0V${SIDE}M0 0H${SIDE}` }));
    this.ground = svg("rect", { class: "triple-ground" });
    this.grid = svg("rect", { fill: "url(#triple-grid)" });
    this.tiles = svg("g");
    this.axes = svg("path", { class: "triple-axes" });
    // Over all tiles: what is marked may lie below others.
    this.marks = svg("g", { class: "triple-marks" });
    this.band = svg("rect", { class: "triple-band" });
    this.cursor = svg("rect", { class: "triple-cursor", width: SIDE, height: SIDE, rx: 1.4 });
    this.svg = svg("svg", { class: "triple-drawing", role: "application", tabindex: 0, "data-testid": "editor-board" },
      svg("defs", {}, grid), this.ground, this.grid, this.tiles, this.marks, this.axes, this.band, this.cursor);
  }

  /** Where a pointer is in the layer that is drawn on. @param {PointerEvent} event @returns {Point} */
  pointAt(event) {
    const { x, y } = pointIn(this.svg, event);
    return { x, y: y + this.layer * this.lift };
  }

  /** Where that is in a tile, which is drawn as high as its layer. @param {Point} point @param {Tile} tile @returns {Point} */
  inTile(point, tile) {
    return { x: point.x - tile.x, y: point.y - tile.y + (tile.layer - this.layer) * this.lift };
  }

  /** @param {Sketch} sketch @param {Look} look */
  draw(sketch, { layer, above, selected, marked, cursor, band }) {
    const { field, symmetry, top } = sketch;
    Object.assign(this, { lift: liftOf(top), layer });
    this.frame(field);
    const across = (field.left + field.right) / 2;
    const down = (field.top + field.bottom) / 2 - layer * this.lift;
    const axes = { x: ["left-right", "both", "half-turn"].includes(symmetry), y: ["up-down", "both", "half-turn"].includes(symmetry) };
    this.axes.setAttribute("d", `${axes.x ? `M${across} ${field.top}V${field.bottom}` : ""}${axes.y ? `M${field.left} ${down}H${field.right}` : ""}`);
    const ordered = [...sketch.tiles].sort((a, b) => a.layer - b.layer || a.y - b.y || a.x - b.x);
    const higher = above ? ordered.filter((tile) => tile.layer > layer).slice(0, MOST_DRAWN) : [];
    this.drawTiles([...ordered.filter((tile) => tile.layer <= layer).slice(-MOST_DRAWN), ...higher], (tile) => [
      "tile", tile.layer === layer ? "here" : tile.layer < layer ? "under" : "over", selected.has(tile) ? "selected" : "",
    ].filter(Boolean).join(" "));
    this.marks.replaceChildren(...[...marked].map(({ x, y, layer: own }) => svg("rect", { x, y: y - own * this.lift, width: SIDE, height: SIDE, rx: 1.4 })));
    place(this.cursor, { left: cursor.x, top: cursor.y - layer * this.lift, right: cursor.x + SIDE, bottom: cursor.y + SIDE - layer * this.lift });
    this.band.toggleAttribute("hidden", !band);
    if (band) place(this.band, { ...band, top: band.top - layer * this.lift, bottom: band.bottom - layer * this.lift });
  }

  /** With room for all layers that there may be: a new one moves nothing. @param {Field} field */
  frame(field) {
    const [width, height] = [field.right - field.left + 2 * PAD, field.bottom - field.top + 2 * PAD + MOST_LIFT];
    this.svg.setAttribute("viewBox", `${field.left - PAD} ${field.top - PAD - MOST_LIFT} ${width} ${height}`);
    this.svg.style.setProperty("--ratio", String(width / height));
    this.svg.style.setProperty("--widest", `${Math.round((width / SIDE) * LARGEST_TILE)}px`);
    place(this.ground, { ...field, top: field.top - MOST_LIFT });
    place(this.grid, field);
    this.grid.setAttribute("transform", `translate(0 ${-this.layer * this.lift})`);
  }

  /** Keeps the nodes of tiles that stay: a tile never changes. @param {Tile[]} tiles @param {(tile: Tile) => string} look */
  drawTiles(tiles, look) {
    const drawn = new Set(tiles);
    for (const [tile, node] of this.nodes) {
      if (drawn.has(tile)) continue;
      node.remove();
      this.nodes.delete(tile);
    }
    /** @type {ChildNode | null} */
    let next = this.tiles.firstChild;
    for (const tile of tiles) {
      const node = this.nodes.get(tile) ?? this.make(tile);
      if (node === next) next = node.nextSibling;
      else this.tiles.insertBefore(node, next);
      put(node, "class", look(tile));
      put(node, "transform", `translate(${tile.x} ${tile.y - tile.layer * this.lift})`);
    }
  }

  /** @param {Tile} tile */
  make(tile) {
    const { kind, layer, hidden } = tile;
    const box = { x: 0.1, y: 0.1, width: 7.8, rx: 1.4 };
    const node = svg("g", { "data-kind": kind, "data-style": glyphOf(kind).style, "data-layer": layer, "data-x": tile.x, "data-y": tile.y }, ...tilePicture(kind),
      svg("rect", { class: "tile-shade", ...box, height: 8.3 }));
    if (hidden) node.append(svg("circle", { class: "tile-badge", cx: 1.7, cy: 1.7, r: 1.4 }), svg("use", { class: "triple-blind", href: "#i-eye-off", x: 0.7, y: 0.7, width: 2, height: 2 }));
    node.append(svg("rect", { class: "tile-ring", ...box, height: 8.2 }));
    this.nodes.set(tile, node);
    return node;
  }
}

/** @param {Element} node @param {string} name @param {string} value */
const put = (node, name, value) => node.getAttribute(name) === value || node.setAttribute(name, value);

/** @param {SVGRectElement} rect @param {Field} field */
function place(rect, { left, top, right, bottom }) {
  for (const [name, value] of Object.entries({ x: left, y: top, width: right - left, height: bottom - top })) put(rect, name, String(value));
}
