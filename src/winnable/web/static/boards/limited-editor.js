// What the editors of games with rule sets and a limit of actions add to board-editor.js.

import { el } from "../base/dom.js";
import { BoardEditor } from "./board-editor.js";
/** @import { CellBoard, Own } from "./board-editor.js" */
/** @import { EditorPage } from "./board.js" */

const MOST_LIMIT = 1_000_000;

/**
 * Its notation also has `rules`, and the limit under a name of the game's own.
 * @template {{ rules: string }} Options
 * @template {number | string} [Value=number]
 * @extends {BoardEditor<Options, Value>}
 */
export class LimitedEditor extends BoardEditor {
  /**
   * rules: the rule sets; ruleWords: what the keys of their words begin with
   * limit: the name of what a level may have so many of
   * @param {HTMLElement} container
   * @param {EditorPage} words
   * @param {Own<Options, Value> & { rules: string[], ruleWords: string, limit: string }} own
   */
  constructor(container, words, { rules, ruleWords, limit, ...board }) {
    super(container, words, board);
    this.ruleWords = ruleWords;
    this.limitName = limit;
    this.limitField = this.numberField(limit, { min: 0, max: MOST_LIMIT });
    this.rules = el("select", { "data-testid": "editor-rules", onchange: () => this.onField() }, ...rules.map((value) => el("option", { value })));
  }

  /** @override @type {BoardEditor<Options, Value>["mount"]} */
  mount(drawing, place, more, tools) {
    const fields = [this.labelled("param.rules", this.rules), this.labelled(`${this.game}.editor.${this.limitName}`, this.limitField)];
    super.mount(drawing, place, [...fields, ...more], tools);
  }

  /** @param {CellBoard & Options} read */
  takeOptions(read) {
    this.rules.value = read.rules;
    const limit = new Map(Object.entries(read)).get(this.limitName);
    this.limitField.value = String(limit ?? "");
  }

  options(limit = this.limit()) {
    return /** @type {Options} */ (/** @type {unknown} */ ({ rules: this.rules.value, [this.limitName]: limit }));
  }

  /** How many there are of what is limited; null: as many as it takes. */
  limit() {
    return this.valueIn(this.limitField);
  }

  /** The fewest actions, however many there may be. */
  question() {
    return this.trouble() === null ? this.notation.writeBoard(this.board, this.options(null)) : "";
  }

  relabel() {
    for (const option of this.rules.options) option.textContent = this.t(`${this.ruleWords}.${option.value}`);
    this.limitField.placeholder = this.t(`${this.game}.editor.unlimited`);
    super.relabel();
  }
}
