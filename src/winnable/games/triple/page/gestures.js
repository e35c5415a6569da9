// What pointers and keys do to a drawing of triple. A drag stays in the layer where it began, and is one step to undo.

import { hold } from "/static/base/browser.js";
import { ARROWS, clamp } from "/static/base/grid.js";
import { isCommand, isPlain, keyOf } from "/static/base/keyboard.js";
import { SIDE, STEP } from "./places.js";
/** @import { TripleEditor } from "./editor.js" */
/** @import { Board } from "./notation.js" */
/** @import { Point, Tile } from "./places.js" */

/** pointer: whose. from, at: where it began, and was last. layer: the one that it stays in. hidden: what `hide` makes of all tiles. moved: the
 *  tiles that it moves, the drawing before, and how far they are
 *  @typedef {{ pointer: number, from: Point, at: Point, layer: number | null, hidden?: boolean, moved?: { tiles: Tile[], board: Board, by: Point } }} Drag */

/** Returns what ends it. @param {TripleEditor} editor */
export function listen(editor) {
  const gestures = new Gestures(editor);
  const { svg } = editor.stage;
  const ending = new AbortController();
  svg.addEventListener("pointerdown", (event) => gestures.begin(event));
  svg.addEventListener("pointermove", (event) => gestures.goOn(event));
  for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) svg.addEventListener(type, (event) => gestures.end(/** @type {PointerEvent} */ (event)));
  svg.addEventListener("keydown", (event) => gestures.onKey(event));
  // Also from what the page has around the drawing.
  const around = /** @type {HTMLElement} */ (editor.container.closest("dialog") ?? editor.container);
  around.addEventListener("keydown", (event) => gestures.onCommand(event), { signal: ending.signal });
  return () => ending.abort();
}

class Gestures {
  /** @type {Drag | null} */
  drag = null;
  /** From where Shift selects. @type {Point | null} */
  anchor = null;

  /** @param {TripleEditor} editor */
  constructor(editor) {
    this.editor = editor;
    this.sketch = editor.sketch;
  }

  /** The place of a tile with its middle there: at half tiles, within the field. @param {Point} point @returns {Point} */
  placeAt({ x, y }) {
    const { left, top, right, bottom } = this.sketch.field;
    const [column, row] = [x, y].map((middle) => Math.round((middle - SIDE / 2) / STEP) * STEP);
    return { x: clamp(column, left, right - SIDE), y: clamp(row, top, bottom - SIDE) };
  }

  // -- pointers -------------------------------------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  begin(event) {
    if (event.button !== 0 || this.drag) return;
    event.preventDefault();
    const { editor, sketch } = this;
    hold(editor.stage.svg, event);
    editor.stage.svg.focus({ preventScroll: true });
    const point = editor.stage.pointAt(event);
    const place = this.placeAt(point);
    const tile = editor.under(point);
    const pointer = event.pointerId;
    sketch.drag(true);
    editor.cursor = place;
    this.anchor = null;
    if (editor.mode === "select") {
      const moved = tile && editor.selected.has(tile) ? { tiles: [...editor.selected], board: sketch.board, by: { x: 0, y: 0 } } : undefined;
      this.drag = { pointer, from: point, at: point, layer: null, moved };
      if (!moved) this.selectTo(point);
    } else if (editor.mode === "put") {
      this.drag = { pointer, from: place, at: place, layer: editor.put(place) };
    } else {
      const hidden = !tile?.hidden;
      this.drag = { pointer, from: point, at: point, layer: tile?.layer ?? null, hidden };
      if (tile) editor.treat(tile, hidden);
      else editor.show();
    }
  }

  /** A fast pointer leaves out places on its way. @param {PointerEvent} event */
  goOn(event) {
    const { drag, editor } = this;
    if (drag?.pointer !== event.pointerId) return;
    const point = editor.stage.pointAt(event);
    if (drag.moved) return this.moveBy({ x: point.x - drag.from.x, y: point.y - drag.from.y });
    if (editor.mode === "select") return this.selectTo(point);
    if (drag.layer === null) return;
    const [step, work] = editor.mode === "put" ? [SIDE, this.putOn] : [STEP / 2, this.treatOn];
    // Tiles of a drag stand side by side: whole tiles from where it began.
    const to = editor.mode === "put" ? { x: aligned(this.placeAt(point).x, drag.from.x), y: aligned(this.placeAt(point).y, drag.from.y) } : point;
    const [dx, dy] = [to.x - drag.at.x, to.y - drag.at.y];
    const steps = Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) / step);
    for (let i = 1; i <= steps; i++) work.call(this, drag, { x: drag.at.x + (dx * i) / steps, y: drag.at.y + (dy * i) / steps });
    drag.at = to;
  }

  /** @param {Drag} drag @param {Point} point */
  putOn({ from, layer }, point) {
    const { editor, sketch } = this;
    const place = { x: aligned(point.x, from.x), y: aligned(point.y, from.y) };
    const { x, y } = this.placeAt({ x: place.x + SIDE / 2, y: place.y + SIDE / 2 });
    if (x === place.x && y === place.y && sketch.put(place, /** @type {number} */ (layer), editor.controls.kind, true) !== null) {
      editor.cursor = place;
      editor.changed();
    }
  }

  /** @param {Drag} drag @param {Point} point */
  treatOn({ layer, hidden }, point) {
    const tile = this.editor.under(point);
    if (tile?.layer === layer) this.editor.treat(tile, hidden);
  }

  /** @param {Point} point */
  selectTo(point) {
    const { editor, drag } = this;
    const from = drag?.from ?? point;
    editor.band = { left: Math.min(from.x, point.x), top: Math.min(from.y, point.y), right: Math.max(from.x, point.x), bottom: Math.max(from.y, point.y) };
    editor.select(editor.band);
  }

  /** What is moved goes from where it was, however the pointer came here. @param {Point} by */
  moveBy(by) {
    const { editor, sketch } = this;
    const moved = this.drag?.moved;
    const { x, y } = { x: Math.round(by.x / STEP) * STEP, y: Math.round(by.y / STEP) * STEP };
    if (!moved || (x === moved.by.x && y === moved.by.y)) return;
    sketch.board = moved.board;
    moved.by = { x, y };
    editor.selected = new Set(sketch.move(moved.tiles, { x, y }));
    editor.changed();
  }

  /** @param {PointerEvent} event */
  end(event) {
    if (this.drag?.pointer !== event.pointerId) return;
    this.drag = null;
    this.sketch.drag(false);
    this.editor.band = null;
    this.editor.show();
  }

  // -- keys -----------------------------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const key = keyOf(event);
    const step = ARROWS[key];
    if (step && isCommand(event)) this.moveSelected({ x: step[0] * STEP, y: step[1] * STEP });
    else if (!isPlain(event) || !(step ? this.walk(step, event.shiftKey) : this.press(key))) return;
    event.preventDefault();
  }

  /** With Shift the tiles from where it began are selected. @param {[number, number]} step @param {boolean} selects */
  walk([dx, dy], selects) {
    const { editor } = this;
    const { x, y } = editor.cursor;
    this.anchor = selects ? (this.anchor ?? { x, y }) : null;
    editor.moveTo({ x: x + dx * STEP, y: y + dy * STEP });
    if (this.anchor) {
      const [a, b] = [this.anchor, editor.cursor];
      editor.choose("select");
      editor.select({ left: Math.min(a.x, b.x), top: Math.min(a.y, b.y), right: Math.max(a.x, b.x) + SIDE, bottom: Math.max(a.y, b.y) + SIDE });
    }
    return true;
  }

  /** Whether the key means something. @param {string} key */
  press(key) {
    const { editor, sketch } = this;
    const { cursor, layer } = editor;
    const tile = editor.under({ x: cursor.x + SIDE / 2, y: cursor.y + SIDE / 2 });
    if (key === "PageUp" || key === "PageDown") editor.goTo(layer + (key === "PageUp" ? 1 : -1));
    else if (key === "Delete" || key === "Backspace") {
      if (editor.selected.size) return editor.remove(), true;
      const here = sketch.at(cursor, layer) ?? tile;
      if (here) this.erase(here);
    } else if (key !== "Enter" && key !== " ") return false;
    else if (editor.mode === "put") {
      const here = sketch.at(cursor, layer);
      if (here) this.erase(here);
      else editor.put(cursor);
    } else if (editor.mode === "select") editor.select({ left: cursor.x, top: cursor.y, right: cursor.x + SIDE, bottom: cursor.y + SIDE });
    else if (tile) editor.treat(tile);
    return true;
  }

  /** @param {Tile} tile */
  erase(tile) {
    this.sketch.remake(this.sketch.withImages(tile), null);
    this.editor.changed();
  }

  /** @param {Point} by */
  moveSelected(by) {
    const { editor } = this;
    if (!editor.selected.size) return;
    editor.selected = new Set(this.sketch.move([...editor.selected], by));
    editor.changed();
  }

  /** With Control, wherever no text is typed. @param {KeyboardEvent} event */
  onCommand(event) {
    const { editor, sketch } = this;
    const key = keyOf(event);
    const target = /** @type {Element} */ (event.target);
    if (!isCommand(event) || event.defaultPrevented || this.drag || target.closest("input:not([type=checkbox]), textarea")) return;
    if (key === "z") editor.travel(event.shiftKey ? "future" : "past");
    else if (key === "y") editor.travel("future");
    else if (key === "a") {
      editor.choose("select");
      editor.select(sketch.field);
    } else if (key === "c") editor.copy();
    else if (key === "x") {
      editor.copy();
      editor.remove();
    } else if (key === "v") editor.paste();
    else return;
    event.preventDefault();
  }
}

/** The nearest whole number of tiles from there. @param {number} place @param {number} from */
const aligned = (place, from) => from + Math.round((place - from) / SIDE) * SIDE;
