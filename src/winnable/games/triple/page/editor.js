// Drawing a board of triple: tiles in layers, at half tiles, by mouse, finger or keyboard. sketch.js has the drawing, stage.js
// its picture, controls.js what stands around it, and gestures.js what pointers and keys do to it.

import { el } from "/static/base/dom.js";
import { clamp } from "/static/base/grid.js";
import { Controls } from "./controls.js";
import { listen } from "./gestures.js";
import { defineTiles, tileName } from "./glyphs.js";
import { readBoard, writeBoard } from "./notation.js";
import { extent, SIDE, topmost } from "./places.js";
import { Sketch } from "./sketch.js";
import { Stage } from "./stage.js";
/** @import { Mode } from "./controls.js" */
/** @import { Field, Point, Tile } from "./places.js" */
/** @import { Judged } from "/static/base/messages.js" */
/** @import { BoardModule, EditorPage, EditorVerdict } from "/static/boards/board.js" */

const FEWEST_TILES = 3;
/** Kinds that are named when they do not come in threes. */
const MOST_NAMED = 6;

/** @type {Required<BoardModule>["createEditor"]} */
export const createEditor = (container, page) => new TripleEditor(container, page);

export class TripleEditor {
  sketch = new Sketch();
  stage = new Stage();
  /** @type {Mode} */
  mode = "put";
  /** The layer that is drawn on. */
  layer = 0;
  /** The tile's place that the keyboard is at. @type {Point} */
  cursor = { x: 0, y: 0 };
  /** @type {Set<Tile>} */
  selected = new Set();
  /** What mending gave another kind. @type {Set<Tile>} */
  marked = new Set();
  /** What was copied. @type {Tile[]} */
  clip = [];
  /** The rectangle that is being selected. @type {Field | null} */
  band = null;
  /** What is said of the last change. */
  told = "";

  /** @param {HTMLElement} container @param {EditorPage} page */
  constructor(container, page) {
    defineTiles();
    this.container = container;
    this.t = page.t;
    this.tn = page.tn;
    this.number = page.number;
    this.onChange = page.onChange;
    this.controls = new Controls(this, page);
    container.replaceChildren(...this.controls.before, el("div", { class: "editor-stage" }, this.stage.svg), ...this.controls.after);
    this.stopListening = listen(this);
    this.relabel();
  }

  destroy() {
    this.stopListening();
    this.container.replaceChildren();
  }

  // -- changes --------------------------------------------------------------------------------------------------------

  /** The drawing has changed. */
  changed(told = "", marked = /** @type {Tile[]} */ ([])) {
    const there = new Set(this.sketch.tiles);
    this.layer = there.size ? Math.min(this.layer, this.sketch.top + 1) : 0;
    this.selected = new Set([...this.selected].filter((tile) => there.has(tile)));
    this.marked = new Set(marked);
    this.told = told;
    this.show();
    this.onChange();
  }

  /** @param {"past" | "future"} from */
  travel(from) {
    if (this.sketch.travel(from)) this.changed();
  }

  /** Puts a tile of the chosen kind; says so where that cannot be. @param {Point} place */
  put(place) {
    const layer = this.sketch.put(place, this.layer, this.controls.kind);
    this.changed(layer === null ? this.t("triple.editor.collides") : "");
    return layer;
  }

  /** The visible tile there. @param {Point} point in the layer that is drawn on */
  under(point) {
    return topmost(this.sketch.tiles, this.layer, (tile) => this.stage.inTile(point, tile));
  }

  /** What paint, hide and erase make of a tile and its images. @param {Tile} tile @param {boolean} hidden what `hide` makes of it */
  treat(tile, hidden = !tile.hidden) {
    const kind = this.controls.kind;
    const made = this.mode === "paint" ? { kind } : { hidden };
    const erases = this.mode === "erase";
    if (!erases && (this.mode === "paint" ? tile.kind === kind : tile.hidden === hidden)) return;
    this.sketch.remake(this.sketch.withImages(tile), erases ? null : (one) => ({ ...one, ...made }));
    this.changed();
  }

  // -- the selection --------------------------------------------------------------------------------------------------

  /** All that is seen whose middle lies in the field. @param {Field} field */
  select(field) {
    const half = SIDE / 2;
    const most = this.controls.seesAbove.checked ? Infinity : this.layer;
    const isIn = (/** @type {Tile} */ { x, y, layer }) => layer <= most && x + half >= field.left && x + half <= field.right && y + half >= field.top && y + half <= field.bottom;
    this.selected = new Set(this.sketch.tiles.filter(isIn));
    this.show();
  }

  copy() {
    if (this.selected.size) this.clip = [...this.selected];
    this.show();
  }

  /** The copies lie with their upper left corner at the cursor, the lowest on the layer that is drawn on. */
  paste() {
    if (!this.clip.length) return;
    const [[x], [y]] = [extent(this.clip, "x"), extent(this.clip, "y")];
    const lowest = this.clip.reduce((low, { layer }) => Math.min(low, layer), Infinity);
    const tiles = this.clip.map((tile) => ({ ...tile, layer: tile.layer - lowest + this.layer }));
    this.selected = new Set(this.sketch.move(tiles, { x: this.cursor.x - x, y: this.cursor.y - y }, new Set()));
    this.choose("select");
    this.changed();
  }

  remove() {
    if (!this.selected.size) return;
    this.sketch.remake(this.selected, null);
    this.changed();
  }

  // -- what is looked at ----------------------------------------------------------------------------------------------

  /** @param {Mode} mode */
  choose(mode) {
    this.mode = mode;
    if (mode !== "select") this.selected = new Set();
    this.show();
  }

  /** @param {number} layer */
  goTo(layer) {
    this.layer = clamp(layer, 0, this.sketch.top + 1);
    this.show();
  }

  /** @param {Point} place */
  moveTo({ x, y }) {
    const { left, top, right, bottom } = this.sketch.field;
    this.cursor = { x: clamp(x, left, right - SIDE), y: clamp(y, top, bottom - SIDE) };
    this.show();
  }

  show() {
    const { sketch, layer, selected, marked, cursor, band } = this;
    this.stage.draw(sketch, { layer, above: this.controls.seesAbove.checked, selected, marked, cursor, band });
    this.controls.show();
    const tile = this.under({ x: cursor.x + SIDE / 2, y: cursor.y + SIDE / 2 });
    const { left, top } = sketch.field;
    const [column, row] = [cursor.x - left, cursor.y - top].map((units) => this.number(Math.round((units / SIDE) * 100) / 100 + 1));
    const values = { column, row, layer: this.number(layer), tile: tile ? tileName(this.t, tile.kind) : this.t("triple.editor.free") };
    this.stage.svg.setAttribute("aria-label", this.t("triple.editor.board", values));
  }

  relabel() {
    this.controls.relabel();
    this.show();
  }

  // -- notation and verdict -------------------------------------------------------------------------------------------

  code() {
    return writeBoard(this.sketch.written);
  }

  question() {
    return this.trouble() === null ? this.code() : "";
  }

  /** False, and nothing has changed, when the text is no board. @param {string} text */
  read(text) {
    const board = readBoard(text);
    if (board === null) return text.trim() === "";
    if (writeBoard(board) !== this.code()) {
      this.sketch.replace(board);
      Object.assign(this, { layer: this.sketch.top, cursor: { x: this.sketch.field.left, y: this.sketch.field.top }, selected: new Set(), marked: new Set(), told: "" });
    }
    this.show();
    return true;
  }

  /** Takes the kinds of what the server made of the drawing, and marks the tiles that have another one now. @param {string} text */
  mended(text) {
    const board = readBoard(text);
    if (board?.tiles.length !== this.sketch.tiles.length) return;
    const marked = this.sketch.takeKinds(board);
    this.changed(this.tn("triple.editor.mended", marked.length), marked);
  }

  /** Why the drawing is no board yet. @returns {string | null} */
  trouble() {
    if (this.sketch.tiles.length < FEWEST_TILES) return this.t("triple.editor.few");
    const odd = [...this.sketch.counts()].filter(([, count]) => count % 3);
    if (!odd.length) return null;
    const names = odd.slice(0, MOST_NAMED).map(([kind, n]) => this.t("triple.editor.count", { name: tileName(this.t, kind), n: this.number(n) }));
    return this.t("triple.editor.odd", { kinds: [...names, ...(odd.length > MOST_NAMED ? ["…"] : [])].join(this.t("list.comma")) });
  }

  /** @param {Judged | null} judged @returns {EditorVerdict} */
  verdict(judged) {
    const trouble = this.trouble();
    if (trouble !== null || !judged) return { text: trouble ?? "", kind: "open" };
    if (judged.status === "solved") return { text: this.tn("triple.editor.winnable", judged.actions), kind: "good" };
    if (judged.status === "unsolvable") return { text: this.t("triple.editor.lost"), kind: "bad" };
    return { text: this.t(judged.done ? "triple.editor.open.late" : "triple.editor.open"), kind: "open" };
  }
}
