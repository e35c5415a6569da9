// Where a race begins, and what it came to.

import { on } from "/static/base/bus.js";
import { el, icon, openDialog, sure } from "/static/base/dom.js";
import { clock, number, t } from "/static/base/i18n.js";
import { bestRaces, BOARDS, currentRace, leaveRace, MINUTES, running, startRace, total } from "./race.js";
/** @import { Best, Total } from "./race.js" */

const MOST_SEED = 2 ** 53 - 1;
const CELLS = BOARDS.reduce((sum, { side }) => sum + side * side, 0);
/** @type {HTMLDialogElement | null} */
let dialog = null;

const randomSeed = () => 1 + Math.floor(Math.random() * 99_999);

export function openRace() {
  dialog ??= make();
  draw(dialog);
  if (!dialog.open) openDialog(dialog);
}

function make() {
  const node = el("dialog", { class: "race-dialog", "data-testid": "race-dialog", "aria-labelledby": "race-heading" });
  // A click on the backdrop hits the dialog itself.
  node.addEventListener("click", (event) => event.target === node && node.close());
  document.body.append(node);
  on("language", () => node.open && draw(node));
  return node;
}

/** @param {HTMLDialogElement} dialog */
function draw(dialog) {
  const over = currentRace() !== null && !running();
  const close = el("button", { class: "quiet square close", type: "button", "aria-label": t("dialog.close"), title: t("dialog.close"), "data-testid": "race-close", onclick: () => dialog.close() }, icon("cross"));
  const head = el("div", { class: "dialog-head" }, el("h2", { id: "race-heading" }, t(over ? "race.over" : "race.heading")), close);
  dialog.replaceChildren(head, ...(over ? result() : [el("p", { class: "note" }, t("race.about", { minutes: MINUTES })), el("p", { class: "note" }, t("race.ranking.about"))]), form(dialog, over), ...ranking());
}

/** Begins a new race; the seed says which boards, so that friends can race on the same ones.
 *  @param {HTMLDialogElement} dialog @param {boolean} over */
function form(dialog, over) {
  const seed = el("input", { type: "number", inputmode: "numeric", required: true, min: 0, max: MOST_SEED, step: 1, value: randomSeed(), "data-testid": "race-seed" });
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (!seed.reportValidity()) return;
    dialog.close();
    startRace(Number(seed.value));
  };
  const leave = over ? el("button", { type: "button", "data-testid": "race-leave", onclick: () => { leaveRace(); dialog.close(); } }, t("race.leave")) : null;
  return el("form", { class: "race-form", novalidate: true, onsubmit: submit },
    el("label", { class: "field" }, el("span", {}, t("param.seed")), seed),
    el("div", { class: "buttons" }, el("button", { class: "primary", type: "submit", "data-testid": "race-start" }, icon("flag"), el("span", {}, t(over ? "race.again" : running() ? "race.anew" : "race.start"))), leave));
}

function result() {
  const { boards } = sure(currentRace());
  const { score, turns, helped } = total();
  /** @param {string} name @param {Best | null} best @param {number} all */
  const row = (name, best, all) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, `${number(best?.score ?? 0)} / ${number(all)}`), el("td", {}, number(best?.turns ?? 0)), el("td", {}, best?.excess === 0 ? icon("check") : "–"));
  return [
    el("p", { class: "race-total", "data-testid": "race-total" }, t("race.total", { n: number(score), all: number(CELLS), turns: number(turns) })),
    el("table", { class: "race-table", "data-testid": "race-result" },
      el("tr", {}, ...["race.board", "rotate.score", "rotate.turns", "race.finished"].map((key) => el("th", { scope: "col" }, t(key)))),
      ...boards.map(({ best }, i) => row(`${BOARDS[i].side}×${BOARDS[i].side}/${BOARDS[i].colours}`, best, BOARDS[i].side ** 2))),
    helped ? el("p", { class: "note" }, t("race.helped")) : null,
  ].filter((node) => node !== null);
}

/** The best races of this browser: by score, then by turns. */
function ranking() {
  const races = bestRaces();
  if (!races.length) return [];
  /** @param {Total} total */
  const item = ({ seed, began, helped, score, turns, seconds }) => {
    const words = t("race.ranked", { n: number(score), all: number(CELLS), turns: number(turns), time: clock(seconds), seed });
    return el("li", { "aria-current": began === currentRace()?.began ? "true" : null }, helped ? `${words} · ${t("race.with-help")}` : words);
  };
  return [el("h3", {}, t("race.ranking")), el("ol", { class: "race-ranking", "data-testid": "race-ranking" }, ...races.map(item))];
}
