// Drawings of the levels that are seen: asked for when they are, and kept as long as there is room.

import { on } from "../base/bus.js";
import { send } from "../desk/game.js";
import { rowOf, view } from "./state.js";
/** @import { SetPicturesEvent, SetRow } from "../base/messages.js" */

const MOST_KEPT = 400;
const MOST_ASKED = 100;
/** Milliseconds for which a table that is scrolled asks nothing. */
const REST = 80;
/** The drawings by number, the one that was seen last at the end. row: of which it is.
 *  @type {Map<number, { row: SetRow, address: string }>} */
const kept = new Map();
/** What was asked, and of which row. @type {Map<number, SetRow>} */
const asked = new Map();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** The address of a level's drawing; null: it is not here yet, or there is none. @param {number} number */
export function pictureOf(number) {
  const one = kept.get(number);
  if (!one) return null;
  kept.delete(number);
  kept.set(number, one);
  return one.address;
}

/** These are seen now. @param {number[]} numbers */
export function askPictures(numbers) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const missing = numbers.filter((number) => {
      const row = rowOf(number);
      return row && row.look.level_id !== null && !isSame(kept.get(number)?.row, row) && !isSame(asked.get(number), row);
    });
    const levels = missing.slice(0, MOST_ASKED);
    if (!view.info || !levels.length || !send({ type: "set_pictures", set: view.info.id, levels })) return;
    for (const number of levels) asked.set(number, /** @type {SetRow} */ (rowOf(number)));
  }, REST);
}

/** Whether it is the same level, whatever became known of it. @param {SetRow | undefined} one @param {SetRow} other */
const isSame = (one, other) => one !== undefined && one.look.level_id === other.look.level_id && one.code === other.code;

/** @param {SetPicturesEvent} event */
function keep({ set, pictures }) {
  if (set !== view.info?.id) return;
  for (const [name, svg] of Object.entries(pictures)) {
    const number = Number(name);
    const row = asked.get(number);
    if (!row) continue;
    forget(number);
    // An image runs no scripts, whoever wrote it.
    kept.set(number, { row, address: URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })) });
  }
  for (const number of [...kept.keys()].slice(0, Math.max(0, kept.size - MOST_KEPT))) forget(number);
}

/** @param {number} number */
function forget(number) {
  const one = kept.get(number);
  if (one) URL.revokeObjectURL(one.address);
  kept.delete(number);
  asked.delete(number);
}

/** Of another set, or after the connection was lost: what was asked is not answered any more. */
export function forgetPictures() {
  for (const number of [...kept.keys()]) forget(number);
  asked.clear();
}

/** @param {() => void} draw */
export function mountPictures(draw) {
  on("set_pictures", (event) => {
    keep(event);
    draw();
  });
}
