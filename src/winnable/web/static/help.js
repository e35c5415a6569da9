// The help dialog: rules of the game on the board, the lamp, the keys.

import { on } from "./bus.js";
import { $, el } from "./dom.js";
import { gameInfo } from "./game.js";
import { has, moveWord, ownKey, t } from "./i18n.js";

const KEYS = [
  ["← → ↑ ↓", "keys.move"], ["Enter / Space", "keys.pick"], ["U / Ctrl+Z", "keys.undo"], ["R / Ctrl+Y", "keys.redo"],
  ["B / Shift+B", "keys.alternate"],
  ["H", "keys.hint"], ["W", "keys.watch"], ["N", "keys.new"], ["E", "keys.editor"], ["T", "keys.tune"], ["?", "keys.help"],
];

/** All of `prefix.1`, `prefix.2`, … that the catalogue has. */
function items(prefix, values) {
  const found = [];
  for (let n = 1; has(`${prefix}.${n}`); n++) found.push(el("li", {}, t(`${prefix}.${n}`, values)));
  return found;
}

function draw() {
  const name = gameInfo()?.name ?? "triple";
  $("help-rules").replaceChildren(...items(`rules.${name}`));
  $("help-lamp").replaceChildren(...items("help.lamp", { move: moveWord(name) }));
  $("help-keys").replaceChildren(...KEYS.flatMap(([keys, key]) => [
    el("dt", {}, ...keys.split(" / ").flatMap((name, i) => [i ? " / " : "", el("kbd", {}, name)])), el("dd", {}, t(ownKey(key, name))),
  ]));
}

export function openHelp() {
  if (!$("help-dialog").open) $("help-dialog").showModal();
}

export function mountHelp() {
  on("hello language state", draw);
  $("help").addEventListener("click", openHelp);
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.querySelector(".close").addEventListener("click", () => dialog.close());
    // A click on the backdrop hits the dialog itself.
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }
}
