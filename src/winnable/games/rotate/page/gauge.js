// Beside the board of rotate: how far it is, par and stars, the colours with those that are finished, the turns so
// far as contests write them.

import { on } from "/static/base/bus.js";
import { el, icon, setText, sure } from "/static/base/dom.js";
import { game } from "/static/desk/game.js";
import { clock } from "/static/base/i18n.js";
import { playSeconds } from "/static/desk/playtime.js";
import { copy } from "/static/desk/share.js";
import { showChance, starRow } from "/static/desk/stars.js";
import { openRace } from "./race-dialog.js";
/** @import { Palette } from "./palette.js" */
/** @import { Observation } from "./views.js" */
/** @import { Count, Translate } from "/static/boards/board.js" */

/** Stars for so many turns over par. */
const STARS = [3, 2, 1, 1];
const SECOND = 1000;
/** As many turns are listed; before them stands how many more there are. */
const MOST_LISTED = 200;

/** 0 to 3; null when nobody knows the par. @param {number | null | undefined} par @param {number} ply */
export function starsFor(par, ply) {
  return par === null || par === undefined ? null : (STARS[Math.max(0, ply - par)] ?? 0);
}

export class Gauge {
  /** The last render. @type {Parameters<Gauge["render"]> | null} */
  last = null;

  /** name: the notation of a turn.
   *  @param {Translate} t @param {Count} number @param {(action: number) => string} name */
  constructor(t, number, name) {
    this.t = t;
    this.number = number;
    this.name = name;
    const figure = (/** @type {string} */ testid) => {
      const [word, value] = [el("dt", {}), el("dd", { "data-testid": testid })];
      return { word, value, box: el("div", { class: testid }, word, value) };
    };
    this.figures = { excess: figure("rotate-excess"), score: figure("rotate-score"), turns: figure("rotate-turns"), time: figure("rotate-time") };
    this.starRow = starRow("stars");
    this.parText = el("small", { "data-testid": "par" });
    this.legend = el("ul", { class: "rotate-legend", "data-testid": "rotate-legend" });
    this.moves = el("ol", { class: "clicks", tabindex: 0, "data-testid": "rotate-moves" });
    this.lastTurn = el("b", { "data-testid": "rotate-last" });
    this.lastWord = el("span", {});
    this.copy = el("button", { type: "button", "data-testid": "rotate-copy", onclick: () => copy(this.names().join("\n"), "rotate.copied") });
    this.list = el("details", { class: "rotate-list" }, el("summary", {}, this.lastWord, " ", this.lastTurn), this.moves, this.copy);
    this.race = el("button", { type: "button", "data-testid": "race-open", onclick: openRace }, icon("flag"), el("span", {}));
    this.element = el("section", { class: "rotate-gauge", "data-testid": "gauge" },
      el("dl", { class: "rotate-figures" }, ...Object.values(this.figures).map(({ box }) => box)),
      el("div", { class: "stars-box" }, this.starRow, this.parText), this.legend, this.list, this.race);
    this.timer = setInterval(() => this.drawTime(), SECOND);
    this.forget = on("state", () => this.drawTime());
    this.list.addEventListener("toggle", () => this.drawMoves());
  }

  destroy() {
    clearInterval(this.timer);
    this.forget();
  }

  /** @param {Observation} view @param {Palette} palette @param {number} ply @param {number | null} par */
  render(view, palette, ply, par) {
    this.last = [view, palette, ply, par];
    const { t, number } = this;
    const { excess, score, turns } = this.figures;
    setText(excess.value, number(view.excess));
    excess.box.classList.toggle("reached", view.excess === 0);
    setText(score.value, t("rotate.of", { n: number(view.score), all: number(view.cells.length) }));
    setText(turns.word, t(view.left === null ? "rotate.turns" : "rotate.turns.left"));
    setText(turns.value, number(view.left ?? ply));
    this.drawStars(view, ply, par);
    this.drawLegend(view, palette);
    this.drawMoves();
    this.drawTime();
  }

  /** @param {Observation} view @param {number} ply @param {number | null} par */
  drawStars(view, ply, par) {
    const reached = starsFor(par, ply + (view.status === "won" ? 0 : 1));
    this.starRow.hidden = reached === null;
    sure(this.starRow.parentElement).hidden = reached === null && view.best === null;
    if (reached === null || par === null) return setText(this.parText, view.best === null ? "" : this.t("rotate.best", { n: this.number(view.best) }));
    showChance(this.starRow, reached);
    setText(this.parText, this.t("rotate.par", { n: this.number(par) }));
  }

  /** Each colour, and whether it is finished; of pairs only how many are.
   *  @param {Observation} view @param {Palette} palette */
  drawLegend({ rules, finished }, palette) {
    const done = new Set(finished);
    const { t, number } = this;
    if (rules === "pairs") {
      const words = t("rotate.pairs", { n: number(done.size), all: number(palette.looks.size) });
      this.legend.replaceChildren(el("li", { class: "rotate-pairs" }, words));
      return;
    }
    this.legend.replaceChildren(...[...palette.looks].map(([colour, { sign, ink }]) => {
      const label = t(done.has(colour) ? "rotate.colour.done" : "rotate.colour", { sign });
      return el("li", {}, el("span", { class: done.has(colour) ? "done" : "", role: "img", "aria-label": label, title: label, "data-colour": colour, style: `background: ${palette.fill(colour)}; color: ${ink}` }, sign, done.has(colour) ? icon("check") : null));
    }));
  }

  names() {
    return game.history.actions.slice(0, game.state?.ply ?? 0).map((action) => this.name(action));
  }

  /** The list is made when somebody looks at it. */
  drawMoves() {
    const names = this.last ? this.names() : [];
    this.list.hidden = names.length === 0;
    setText(this.lastTurn, names.at(-1) ?? "");
    if (!this.list.open) return;
    const listed = names.slice(-MOST_LISTED);
    this.moves.setAttribute("start", names.length - listed.length + 1);
    this.moves.replaceChildren(...listed.map((name) => el("li", {}, name)));
    this.moves.scrollTop = this.moves.scrollHeight;
  }

  drawTime() {
    if (game.state) setText(this.figures.time.value, clock(playSeconds(game.state.session)));
  }

  relabel() {
    const { t } = this;
    this.element.setAttribute("aria-label", t("rotate.gauge"));
    for (const name of /** @type {const} */ (["excess", "score", "time"])) setText(this.figures[name].word, t(`rotate.${name}`));
    setText(this.lastWord, t("rotate.last"));
    setText(this.copy, t("rotate.copy"));
    this.moves.setAttribute("aria-label", t("rotate.moves"));
    setText(sure(this.race.lastElementChild), t("rotate.race"));
    if (this.last) this.render(...this.last);
  }
}
