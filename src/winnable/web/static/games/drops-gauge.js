// Beside the board of drops: the tank, par and stars, the chain under way, and the switch for sound.

import { on } from "../bus.js";
import { el, icon, setText } from "../dom.js";
import { change, settings } from "../settings.js";
import { MOST_STARS, showStars, starRow } from "../stars.js";
import { dropTone } from "./drops-sound.js";

export class Gauge {
  /** onExplain: asks why it takes so many clicks; without it there is no button. */
  constructor(t, number, onExplain) {
    Object.assign(this, { t, number, last: null, most: 1 });
    this.why = el("button", { class: "why-button", type: "button", "aria-pressed": "false", hidden: !onExplain, "data-testid": "why", onclick: onExplain });
    this.water = el("div", { class: "tank-water" });
    this.amount = el("strong", { class: "tank-amount", "data-testid": "tank-amount" });
    this.gain = el("span", { class: "tank-gain", "data-testid": "tank-gain", "aria-hidden": "true" });
    this.tank = el("div", { class: "tank", "data-testid": "tank", role: "img" }, this.water, this.amount, this.gain);
    this.caption = el("small", { class: "tank-caption" });
    this.round = el("p", { class: "round", "data-testid": "round" });
    this.starRow = starRow("stars");
    this.parText = el("small", { "data-testid": "par" });
    this.chain = el("p", { class: "chain", "data-testid": "chain" });
    this.sound = el("button", { class: "quiet square", type: "button", "data-testid": "sound", onclick: () => this.toggleSound() });
    this.element = el("section", { class: "drops-gauge", "data-testid": "gauge" }, this.round,
      el("div", { class: "tank-box" }, this.tank, this.caption), el("div", { class: "stars-box" }, this.starRow, this.parText), this.why, this.chain, this.sound);
    this.forget = on("settings", () => this.drawSound());
  }

  destroy() {
    this.forget();
  }

  setExplained(shown) {
    this.why.setAttribute("aria-pressed", shown);
  }

  startMove() {
    this.showChain(0, 0);
  }

  /** left: what the tank shows now, which may still be on its way to `view.left`. */
  render(view, ply, par, left) {
    this.last = [view, ply, par, left];
    const { t, number } = this;
    const budget = view.mode === "budget";
    const bottomless = left === null;
    // In a flash game the tank grows with what it has held.
    if (!bottomless) this.most = budget ? view.left + ply : Math.max(10, this.most, left);
    this.tank.classList.toggle("bottomless", bottomless);
    this.tank.classList.toggle("low", !bottomless && left <= 1 && view.status === "playing");
    this.tank.style.setProperty("--fill", bottomless ? 0 : left / Math.max(1, this.most));
    this.tank.dataset.left = bottomless ? "" : left;
    setText(this.amount, number(bottomless ? ply : left));
    setText(this.caption, bottomless ? t("drops.clicks") : budget ? t("drops.left.of", { most: number(this.most) }) : t("drops.tank"));
    this.tank.setAttribute("aria-label", bottomless ? `${t("drops.clicks")} ${number(ply)}` : t("drops.tank.left", { n: number(left) }));
    setText(this.round, view.round === null ? "" : t("drops.round", { n: number(view.round) }));
    this.why.disabled = view.status !== "playing";
    this.drawStars(view, ply, par);
  }

  drawStars(view, ply, par) {
    const known = par !== null && par !== undefined;
    this.starRow.parentElement.hidden = !known;
    if (!known) return;
    // While drops rest, at least one click is still to come.
    const reached = this.stars(par, ply + (view.status === "won" ? 0 : 1));
    showStars(this.starRow, reached);
    setText(this.parText, this.t("drops.par", { n: this.number(par) }));
  }

  stars(par, ply) {
    return par === null || par === undefined ? null : Math.max(0, Math.min(MOST_STARS, MOST_STARS - (ply - par)));
  }

  showChain(bursts, gained) {
    this.chain.dataset.bursts = bursts;
    setText(this.chain, bursts ? this.t("drops.chain", { n: this.number(bursts) }) : "");
    setText(this.gain, gained > 0 ? `+${this.number(gained)}` : "");
  }

  toggleSound() {
    change("sound", !settings.sound);
    dropTone();
  }

  drawSound() {
    const label = this.t("settings.sound");
    this.sound.replaceChildren(icon(settings.sound ? "sound" : "sound-off"));
    this.sound.setAttribute("aria-pressed", settings.sound);
    this.sound.setAttribute("aria-label", label);
    this.sound.title = label;
  }

  relabel() {
    this.element.setAttribute("aria-label", this.t("drops.gauge"));
    this.drawSound();
    setText(this.why, this.t("drops.why"));
    this.why.title = this.t("drops.why.label");
    if (this.last) this.render(...this.last);
  }
}
