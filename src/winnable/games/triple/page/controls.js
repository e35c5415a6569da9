// What stands around a drawing of triple: modes, kinds, layers, buttons and fields.

import { el, icon, setText } from "/static/base/dom.js";
import { listenToArrows, radio } from "/static/base/radios.js";
import { Kinds } from "./kinds.js";
import { MOST_KINDS, MOST_SLOTS } from "./notation.js";
import { SIDE, SYMMETRIES } from "./places.js";
/** @import { TripleEditor } from "./editor.js" */
/** @import { Attributes, Icon } from "/static/base/dom.js" */
/** @import { Control } from "/static/base/fields.js" */
/** @import { EditorPage } from "/static/boards/board.js" */

const MODES = /** @type {const} */ (["put", "paint", "hide", "erase", "select"]);
/** What a pointer and the Enter key do. @typedef {typeof MODES[number]} Mode */

/** Tiles along a side of the field. */
const [LEAST_SIDE, MOST_SIDE] = [3, 60];
const USUAL_KINDS = 6;
/** How often each may be used, and the seed of shuffles, where a drawing gets tools. */
const USUAL_TOOLS = [1, 1, 1, 0];

export class Controls {
  /** What says what, by key. @type {[HTMLElement, string][]} */
  captions = [];
  /** @type {Record<string, HTMLButtonElement>} */
  buttons = {};

  /** @param {TripleEditor} editor @param {EditorPage} page */
  constructor(editor, { t, number }) {
    this.editor = editor;
    this.t = t;
    this.number = number;
    this.kinds = new Kinds(t, number, () => editor.mode !== "paint" && editor.choose("put"));
    this.modes = el("div", { class: "choices triple-modes", role: "radiogroup", "data-testid": "editor-modes" },
      ...MODES.map((mode) => this.captioned(radio(false, { "data-mode": mode, "data-testid": `mode-${mode}`, onclick: () => editor.choose(mode) }), `triple.editor.${mode}`)));
    listenToArrows(this.modes);

    this.layerText = el("output", { "data-testid": "editor-layer" });
    this.seesAbove = el("input", { type: "checkbox", checked: true, "data-testid": "editor-above", onchange: () => editor.choose(editor.mode) });
    const layers = el("div", { class: "triple-layers" },
      this.button("down", "minus", () => editor.goTo(editor.layer - 1)), this.layerText, this.button("up", "plus", () => editor.goTo(editor.layer + 1)),
      this.field("triple.editor.above", this.seesAbove, "editor-check"));

    this.dealt = this.numberField("deal-kinds", { min: 1, max: MOST_KINDS });
    this.dealt.value = String(USUAL_KINDS);
    const work = el("div", { class: "buttons triple-work" },
      this.button("undo", "undo", () => editor.travel("past")), this.button("redo", "redo", () => editor.travel("future")),
      this.button("copy", "copy", () => editor.copy()), this.button("paste", "paste", () => editor.paste()), this.button("remove", "trash", () => editor.remove()),
      this.button("centre", null, () => this.look(() => editor.sketch.centre())), this.button("clear", null, () => this.change({ tiles: [] })),
      el("span", { class: "joined" }, this.button("deal", null, () => this.deal()), this.dealt));

    const side = { min: LEAST_SIDE, max: MOST_SIDE, step: 0.5, onchange: () => this.resize() };
    this.columns = this.numberField("columns", side);
    this.rows = this.numberField("rows", side);
    this.slots = this.numberField("slots", { min: 1, max: MOST_SLOTS, onchange: ({ target }) => this.change({ slots: valueIn(/** @type {HTMLInputElement} */ (target)) ?? editor.sketch.board.slots }) });
    this.symmetry = el("select", { "data-testid": "editor-symmetry", onchange: () => this.look(() => (editor.sketch.symmetry = this.symmetry.value)) },
      ...SYMMETRIES.map((value) => this.captioned(el("option", { value }), `triple.editor.symmetry.${value}`)));
    this.tools = el("input", { type: "checkbox", "data-testid": "editor-tools", onchange: ({ target }) => this.change({ tools: /** @type {HTMLInputElement} */ (target).checked ? USUAL_TOOLS : null }) });
    const fields = el("div", { class: "editor-fields" },
      this.field("param.columns", this.columns), this.field("param.rows", this.rows), this.field("param.slots", this.slots),
      this.field("triple.editor.symmetry", this.symmetry), this.field("triple.editor.tools", this.tools, "editor-check"));

    this.counts = el("p", { class: "note", role: "status", "data-testid": "editor-counts" });
    this.before = [this.modes, this.kinds.element];
    this.after = [layers, work, this.counts, fields];
  }

  /** The kind that is painted. */
  get kind() {
    return this.kinds.chosen;
  }

  /** @template {HTMLElement} E @param {E} node @param {string} key */
  captioned(node, key) {
    this.captions.push([node, key]);
    return node;
  }

  /** With a picture it says its name when it is asked. @param {string} name @param {Icon | null} picture @param {() => void} onclick */
  button(name, picture, onclick) {
    const button = el("button", { type: "button", class: picture ? "square" : null, "data-testid": `editor-${name}`, onclick }, picture && icon(picture));
    this.buttons[name] = button;
    return this.captioned(button, `triple.editor.${name}`);
  }

  /** @param {string} key @param {Control} control */
  field(key, control, kind = "") {
    return el("label", { class: `field ${kind}` }, this.captioned(el("span", {}), key), control);
  }

  /** @param {string} name @param {Attributes} attributes */
  numberField(name, attributes) {
    return el("input", { type: "number", inputmode: "decimal", step: 1, required: true, "data-testid": `editor-${name}`, ...attributes });
  }

  // -- what they do ---------------------------------------------------------------------------------------------------

  /** @param {Parameters<TripleEditor["sketch"]["change"]>[0]} changes */
  change(changes) {
    this.editor.sketch.change(changes);
    this.editor.changed();
  }

  /** The drawing stays as it is. @param {() => void} work */
  look(work) {
    work();
    this.editor.moveTo(this.editor.cursor);
  }

  resize() {
    const [width, height] = [this.columns, this.rows].map((field) => valueIn(field));
    if (width && height) this.look(() => this.editor.sketch.resize(width * SIDE, height * SIDE));
  }

  deal() {
    const kinds = valueIn(this.dealt);
    if (kinds === null || !this.editor.sketch.tiles.length) return;
    this.editor.sketch.deal(kinds);
    this.editor.changed();
  }

  // -- what they say --------------------------------------------------------------------------------------------------

  show() {
    const { editor, t, number } = this;
    const { sketch, layer } = editor;
    const { left, top, right, bottom } = sketch.field;
    const counts = sketch.counts();
    this.kinds.show(counts);
    for (const button of this.modes.querySelectorAll("button")) {
      const chosen = button.dataset.mode === editor.mode;
      button.setAttribute("aria-checked", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
    }
    const here = sketch.tiles.filter((tile) => tile.layer === layer).length;
    setText(this.layerText, t("triple.editor.layer", { n: number(layer), top: number(sketch.top), tiles: number(here) }));
    const idle = { down: layer === 0, up: layer > sketch.top, undo: !sketch.past.length, redo: !sketch.future.length, copy: !editor.selected.size, paste: !editor.clip.length, remove: !editor.selected.size };
    for (const [name, off] of Object.entries(idle)) this.buttons[name].disabled = off;
    setText(this.counts, [t("triple.editor.counts", { tiles: number(sketch.tiles.length), kinds: number(counts.size) }), editor.told].filter(Boolean).join(" "));
    this.columns.value = String(inTiles(right - left));
    this.rows.value = String(inTiles(bottom - top));
    this.slots.value = String(sketch.board.slots);
    this.tools.checked = sketch.board.tools !== null;
  }

  relabel() {
    for (const [node, key] of this.captions) {
      const text = this.t(key);
      if (node.querySelector(".icon")) {
        node.title = text;
        node.setAttribute("aria-label", text);
      } else node.textContent = text;
    }
    this.modes.setAttribute("aria-label", this.t("triple.editor.modes"));
    this.dealt.setAttribute("aria-label", this.t("triple.editor.deal.kinds"));
  }
}

/** To the half. @param {number} units */
const inTiles = (units) => Math.round((2 * units) / SIDE) / 2;

/** null: nothing, or no number that may stand there. @param {HTMLInputElement} field */
const valueIn = (field) => (field.value !== "" && field.validity.valid ? Number(field.value) : null);
