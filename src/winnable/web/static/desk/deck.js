// The deck: positions of one's own mistakes come back as puzzles. The next move is the answer; the server proves it.

import { on } from "../base/bus.js";
import { $, el, icon, redraw, setText, show, sure } from "../base/dom.js";
import { moveWord, number, t } from "../base/i18n.js";
import { endless, game, send } from "./game.js";
/** @import { Answered } from "../base/messages.js" */

let due = 0;
/** @type {Answered | null} */
let answer = null;

const practise = () => send({ type: "practise" });

/** @param {Answered} answer */
function verdict({ right, played, better }) {
  const board = sure(game.board);
  const move = moveWord(game.state?.game);
  const text = t(right === null ? "deck.unknown" : right ? "deck.right" : "deck.wrong", { move, played: board.describe(played) });
  return better && !right ? `${text} ${t("deck.better", { move, better: board.describe(better) })}` : text;
}

function draw() {
  const { state } = game;
  const card = state?.card ?? null;
  document.body.dataset.card = card ?? "none";
  show($("card-task"), card !== null);
  show($("deck"), due > 0);
  setText($("deck-due"), t("deck.due", { n: number(due) }));
  if (!state || card === null) return;
  const here = answer?.session === state.session ? answer : null;
  const words = here && game.board ? verdict(here) : t(card === "open" ? (endless() ? "deck.ask.best" : "deck.ask") : "deck.judging", { move: moveWord(state.game) });
  $("card-task").dataset.right = String(here?.right ?? "");
  redraw($("card-task"), el("strong", {}, words),
    ...(here?.due ? [el("button", { class: "primary", type: "button", "data-testid": "deck-next", onclick: practise }, icon("play"), el("span", {}, t("deck.next", { n: number(here.due) })))] : []),
    ...(here && !here.due ? [el("span", { class: "note", "data-testid": "deck-done" }, t("deck.done"))] : []));
}

export function mountDeck() {
  on("deck", (event) => {
    due = event.due;
    draw();
  });
  on("answered", (event) => {
    answer = event;
    due = event.due;
    draw();
  });
  on("hello view", () => game.hello && game.connection?.send({ type: "deck" }));
  on("state language board landed", draw);
  $("deck").addEventListener("click", practise);
}
