// Beside the board of drops: the tank, par and stars, and the chain under way.

import { el, setText, sure } from "/static/base/dom.js";
import { MOST_STARS, showChance, starRow } from "/static/desk/stars.js";
/** @import { Observation } from "./views.js" */
/** @import { Count, Translate } from "/static/boards/board.js" */

/** Bursts that give a drop: beyond so many there are no marks for them. */
const MOST_MARKS = 6;

export class Gauge {
  /** The last render. @type {Parameters<Gauge["render"]> | null} */
  last = null;

  /** onExplain: asks why it takes so many clicks; without it there is no button.
   *  @param {Translate} t @param {Count} number @param {(() => void)} [onExplain] */
  constructor(t, number, onExplain) {
    this.t = t;
    this.number = number;
    /** What the tank has held at the most. */
    this.most = 1;
    this.why = el("button", { class: "explain why-button", type: "button", "aria-pressed": "false", hidden: !onExplain, "data-testid": "why", onclick: onExplain });
    this.water = el("div", { class: "tank-water" });
    this.amount = el("strong", { class: "tank-amount", "data-testid": "tank-amount" });
    this.gain = el("span", { class: "tank-gain", "data-testid": "tank-gain", "aria-hidden": "true" });
    this.tank = el("div", { class: "tank", "data-testid": "tank", role: "img" }, this.water, this.amount, this.gain);
    this.caption = el("small", { class: "tank-caption" });
    this.next = el("div", { class: "tank-next", role: "img", "data-testid": "tank-next" });
    this.round = el("p", { class: "round", "data-testid": "round" });
    this.starRow = starRow("stars");
    this.parText = el("small", { "data-testid": "par" });
    this.chain = el("p", { class: "chain", "data-testid": "chain" });
    this.element = el("section", { class: "drops-gauge", "data-testid": "gauge" }, this.round,
      el("div", { class: "tank-box" }, this.tank, this.next, this.caption), el("div", { class: "stars-box" }, this.starRow, this.parText), this.why, this.chain);
  }

  /** @param {boolean} shown */
  setExplained(shown) {
    this.why.setAttribute("aria-pressed", shown);
  }

  startMove() {
    this.showChain(0, 0);
  }

  /** left, bursts: what the tank shows now, which may still be on its way to what the view says.
   *  @param {Observation} view @param {number} ply @param {number | null} par @param {number | null} left */
  render(view, ply, par, left, bursts = view.bursts) {
    this.last = [view, ply, par, left, bursts];
    const { t, number } = this;
    const budget = view.mode === "budget";
    const bottomless = left === null;
    // A tank that gains grows with what it has held.
    if (!bottomless) this.most = budget ? (view.left ?? 0) + ply : Math.max(10, this.most, left);
    this.tank.classList.toggle("bottomless", bottomless);
    this.tank.classList.toggle("low", !bottomless && left <= 1 && view.status === "playing");
    this.tank.style.setProperty("--fill", bottomless ? 0 : left / Math.max(1, this.most));
    this.tank.dataset.left = bottomless ? "" : String(left);
    setText(this.amount, number(bottomless ? ply : left));
    setText(this.caption, bottomless ? t("drops.clicks") : budget ? t("drops.left.of", { most: number(this.most) }) : t("drops.tank"));
    this.tank.setAttribute("aria-label", bottomless ? `${t("drops.clicks")} ${number(ply)}` : t("drops.tank.left", { n: number(left) }));
    setText(this.round, view.round === null ? "" : t("drops.round", { n: number(view.round) }));
    this.drawNext(view.every, bursts);
    this.why.disabled = view.status !== "playing";
    this.drawStars(view, ply, par);
  }

  /** A mark for each burst towards the next drop. @param {number | null} every @param {number} bursts */
  drawNext(every, bursts) {
    const marks = every === null || every > MOST_MARKS ? 0 : every;
    this.next.replaceChildren(...Array.from({ length: marks }, (_, i) => el("i", { class: i < bursts ? "full" : "" })));
    this.next.dataset.bursts = every === null ? "" : String(bursts);
    const label = every === null ? "" : this.t("drops.tank.next", { bursts: this.number(bursts), every: this.number(every) });
    this.next.title = label;
    this.next.setAttribute("aria-label", label);
  }

  /** @param {Observation} view @param {number} ply @param {number | null} par */
  drawStars(view, ply, par) {
    // While drops rest, at least one click is still to come.
    const reached = this.stars(view, par, ply + (view.status === "won" ? 0 : 1));
    sure(this.starRow.parentElement).hidden = reached === null;
    if (reached === null || par === null) return;
    showChance(this.starRow, reached);
    setText(this.parText, this.t("drops.par", { n: this.number(par) }));
  }

  /** Null where nobody knows the par, or a tank gains: it asks for no par.
   *  @param {Observation} view @param {number | null | undefined} par @param {number} ply */
  stars(view, par, ply) {
    return view.mode === "tank" || par === null || par === undefined ? null : Math.max(0, Math.min(MOST_STARS, MOST_STARS - (ply - par)));
  }

  /** @param {number} bursts @param {number} gained */
  showChain(bursts, gained) {
    this.chain.dataset.bursts = String(bursts);
    setText(this.chain, bursts ? this.t("drops.chain", { n: this.number(bursts) }) : "");
    setText(this.gain, gained > 0 ? `+${this.number(gained)}` : "");
  }

  relabel() {
    this.element.setAttribute("aria-label", this.t("drops.gauge"));
    setText(this.why, this.t("drops.why"));
    this.why.title = this.t("drops.why.label");
    if (this.last) this.render(...this.last);
  }
}
