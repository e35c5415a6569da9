// The race over the board: its three boards, the clock.

import { on } from "/static/base/bus.js";
import { el, icon, setText } from "/static/base/dom.js";
import { clock } from "/static/base/i18n.js";
import { BOARDS, currentRace, endRace, goToBoard, playedBoard, running, timeLeft } from "./race.js";
import { openRace } from "./race-dialog.js";
/** @import { Count, Translate } from "/static/boards/board.js" */

const TICK = 250;
const HURRY = 60_000;

/** @param {Translate} t @param {Count} number */
export const racePanel = (t, number) => new RacePanel(t, number);

class RacePanel {
  /** @param {Translate} t @param {Count} number */
  constructor(t, number) {
    this.t = t;
    this.number = number;
    this.boards = BOARDS.map((_, index) => el("button", { type: "button", "data-testid": `race-board-${index}`, onclick: () => goToBoard(index) }, el("b", {}), el("small", {})));
    this.clock = el("time", { class: "race-clock", role: "timer", "data-testid": "race-clock" });
    this.end = el("button", { type: "button", "data-testid": "race-end", onclick: () => this.finish() });
    this.element = el("section", { class: "race", "data-testid": "race" }, ...this.boards, this.clock, this.end);
    this.timer = setInterval(() => this.tick(), TICK);
    this.forget = on("race board", () => this.draw());
    this.relabel();
  }

  destroy() {
    clearInterval(this.timer);
    this.forget();
  }

  finish() {
    endRace();
    openRace();
  }

  tick() {
    if (!running()) return;
    if (timeLeft() === 0) this.finish();
    else this.drawClock();
  }

  drawClock() {
    setText(this.clock, clock(Math.ceil(timeLeft() / 1000)));
    this.clock.classList.toggle("hurry", timeLeft() < HURRY);
  }

  draw() {
    const race = currentRace();
    this.element.hidden = !running();
    if (!race || !running()) return;
    const { t, number } = this;
    const played = playedBoard();
    this.boards.forEach((button, index) => {
      const { side, colours } = BOARDS[index];
      const { best } = race.boards[index];
      const done = best?.excess === 0;
      const [head, small] = button.children;
      head.replaceChildren(`${side}×${side}/${colours}`, ...(done ? [icon("check")] : []));
      setText(small, best ? t("race.reached", { n: number(best.score), all: number(side * side), turns: number(best.turns) }) : t("race.untouched"));
      button.classList.toggle("done", done);
      button.dataset.score = String(best?.score ?? "");
      button.dataset.turns = String(best?.turns ?? "");
      button.setAttribute("aria-pressed", index === played);
    });
    this.drawClock();
  }

  relabel() {
    this.element.setAttribute("aria-label", this.t("race.label"));
    this.clock.setAttribute("aria-label", this.t("race.clock"));
    setText(this.end, this.t("race.end"));
    this.draw();
  }
}
