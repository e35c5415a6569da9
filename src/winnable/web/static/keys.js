// Keys that work everywhere on the page, except where text is typed or a dialog is open.

import { alternate } from "./desk/branches.js";
import { review } from "./desk/card.js";
import { game } from "./desk/game.js";
import { openEditor } from "./desk/editor.js";
import { ARROWS, LETTER_ARROWS } from "./base/grid.js";
import { isCommand, isPlain, keyOf } from "./base/keyboard.js";
import { openHelp } from "./front/help.js";
import { toggleValues } from "./desk/lamp.js";
import { openNew } from "./desk/newgame.js";
import { hint } from "./desk/hint.js";
import { redo, undo } from "./desk/toolbar.js";
import { toggleSound } from "./base/sound.js";
import { atFront } from "./front/place.js";
import { openTune } from "./tuning/tuning.js";
import { openCompare } from "./comparing/comparing.js";
import { toggle } from "./desk/watch.js";

/** @type {Record<string, (event: KeyboardEvent) => unknown>} */
const LETTERS = { u: undo, r: redo, b: (event) => alternate(event.shiftKey ? -1 : 1), h: () => hint(), v: review, w: () => toggle(), n: () => openNew(), t: () => openTune(), c: openCompare, e: () => openEditor(), m: toggleSound, x: toggleValues, "?": openHelp };
/** What there is to do without a board. */
const AT_FRONT = ["n", "t", "c", "m", "?"];
/** @type {Record<string, () => void>} */
const WITH_CONTROL = { z: undo, y: redo };

/** @param {KeyboardEvent} event */
function onKey(event) {
  const key = keyOf(event);
  const target = /** @type {Element} */ (event.target);
  const command = isCommand(event);
  if (!(command || isPlain(event)) || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  if (target.closest("input:not([type=range]), textarea, select")) return;
  if (atFront() && (command || !AT_FRONT.includes(key))) return;
  let work = (command ? WITH_CONTROL : LETTERS)[key];
  if (command && key === "z" && event.shiftKey) work = redo;
  // With Shift such a letter is the page's.
  const letterStep = game.board?.lettersMove && !event.shiftKey ? LETTER_ARROWS[key] : undefined;
  const step = letterStep ?? (target.closest("[role=slider], input") ? undefined : ARROWS[key]);
  if (!command && step) work = () => game.board?.moveCursor(...step);
  if (!command && (key === "Enter" || key === " ") && target.closest(".board")) work = () => game.board?.pickCursor?.();
  if (!work) return;
  event.preventDefault();
  work(event);
}

export function mountKeys() {
  document.addEventListener("keydown", onKey);
}
