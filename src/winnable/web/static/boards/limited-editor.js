// What the editors of games with rule sets and a limit of actions add to board-editor.js.

import { el } from "../base/dom.js";
import { BoardEditor } from "./board-editor.js";

const MOST_LIMIT = 1_000_000;

export class LimitedEditor extends BoardEditor {
  /**
   * Like BoardEditor; its notation also has `rules` and the limit.
   * rules: the rule sets; ruleWords: what the keys of their words begin with
   * limit: the name of what a level may have so many of
   */
  constructor(container, words, { rules, ruleWords, limit, ...board }) {
    super(container, words, board);
    Object.assign(this, { ruleWords, limitName: limit });
    this.limitField = this.numberField(limit, { min: 0, max: MOST_LIMIT });
    this.rules = el("select", { "data-testid": "editor-rules", onchange: () => this.onField() }, ...rules.map((value) => el("option", { value })));
  }

  mount(drawing, place, more, tools) {
    const fields = [this.labelled("param.rules", this.rules), this.labelled(`${this.game}.editor.${this.limitName}`, this.limitField)];
    super.mount(drawing, place, [...fields, ...more], tools);
  }

  takeOptions(read) {
    this.rules.value = read.rules;
    this.limitField.value = read[this.limitName] ?? "";
  }

  options(limit = this.limit()) {
    return { rules: this.rules.value, [this.limitName]: limit };
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
    for (const option of this.rules.children) option.textContent = this.t(`${this.ruleWords}.${option.value}`);
    this.limitField.placeholder = this.t(`${this.game}.editor.unlimited`);
    super.relabel();
  }
}
