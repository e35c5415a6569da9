// The help dialog: rules of the game on the board, the lamp, the keys.

import { on } from "../base/bus.js";
import { $, el, openDialog, sure } from "../base/dom.js";
import { game, gameInfo } from "../desk/game.js";
import { LETTER_ARROWS } from "../base/grid.js";
import { has, localized, moveWord, ownKey, t } from "../base/i18n.js";
import { ownPages } from "./front.js";
import { atFront } from "./place.js";

const KEYS = [
  ["← → ↑ ↓", "keys.move"], ["Enter / Space", "keys.pick"], ["U / Ctrl+Z", "keys.undo"], ["R / Ctrl+Y", "keys.redo"],
  ["B / Shift+B", "keys.alternate"],
  ["H", "keys.hint"], ["V", "keys.review"], ["W", "keys.watch"], ["N", "keys.new"], ["E", "keys.editor"], ["T", "keys.tune"], ["C", "keys.compare"], ["X", "keys.values"], ["M", "keys.sound"], ["?", "keys.help"],
];

/** The keys as they are on the board: where letters stand for arrows, what they mean elsewhere needs Shift. */
function keyRows() {
  if (!game.board?.lettersMove) return KEYS;
  const [[arrows, move], ...others] = KEYS;
  const shifted = others.map(([keys, key]) => [keys.toLowerCase() in LETTER_ARROWS ? `Shift+${keys}` : keys, key]);
  return [[`${arrows} / W A S D / H J K L`, move], ...shifted];
}

/** All of `prefix.1`, `prefix.2`, … that the catalogue has.
 *  @param {string} prefix @param {Record<string, string>} [values] */
function items(prefix, values) {
  const found = [];
  for (let n = 1; has(`${prefix}.${n}`); n++) found.push(el("li", {}, t(`${prefix}.${n}`, values)));
  return found;
}

function draw() {
  const name = gameInfo()?.name;
  // Without a board, the rules of all.
  const front = atFront()
    ? [...(game.hello?.games ?? []).map((info) => [localized(info.title), info.name]), ...ownPages().map((page) => [t(`page.${page}`), page])]
    : [["", name]];
  $("help-rules").replaceChildren(...front.map(([title, of]) => {
    const list = el("ul", { class: "prose", "data-rules": of }, ...items(`rules.${of}`));
    return title ? el("details", {}, el("summary", {}, title), list) : list;
  }));
  $("help-lamp").replaceChildren(...items("help.lamp", { move: moveWord(name) }));
  const able = { "keys.pick": game.board?.pickCursor, "keys.values": game.board?.showValues };
  const rows = keyRows().filter(([, key]) => !game.board || !(key in able) || able[/** @type {keyof typeof able} */ (key)]);
  $("help-keys").replaceChildren(...rows.flatMap(([keys, key]) => [
    el("dt", {}, ...keys.split(" / ").flatMap((name, i) => [i ? " / " : "", el("kbd", {}, name)])), el("dd", {}, t(ownKey(key, name))),
  ]));
}

export function openHelp() {
  if (!$("help-dialog").open) openDialog($("help-dialog"));
}

export function mountHelp() {
  on("hello language state board view", draw);
  $("help").addEventListener("click", openHelp);
  for (const dialog of document.querySelectorAll("dialog")) {
    sure(dialog.querySelector(".close")).addEventListener("click", () => dialog.close());
    // A click on the backdrop hits the dialog itself.
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }
}
