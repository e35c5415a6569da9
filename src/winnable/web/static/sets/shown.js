// Which levels the table shows, and in which order.

import { chooseColumns, columnOf, kindOf, textOf } from "./columns.js";
import { rowsInOrder, view } from "./state.js";
/** @import { SetRow } from "../base/messages.js" */
/** @import { Only } from "./state.js" */

/** @type {Record<Only, (row: SetRow) => boolean>} */
export const KINDS = {
  all: () => true,
  wrong: (row) => ["none", "wrong"].includes(kindOf(row)),
  lost: (row) => kindOf(row) === "unsolvable",
  undecided: (row) => kindOf(row) === "budget",
  doubled: (row) => row.same_as !== null || row.twin_of !== null,
};

/** Works that out, where something has changed. */
export function chooseShown() {
  if (!view.stale) return;
  view.places = new Map(view.order.map((number, place) => [number, place]));
  chooseColumns();
  const words = view.find.trim().toLowerCase();
  const rows = rowsInOrder().filter((row) => KINDS[view.only](row) && (!words || textOf(row).includes(words)));
  view.shown = sorted(rows).map(({ number }) => number);
  if (view.active === null || !view.places.has(view.active)) view.active = view.shown[0] ?? null;
}

/** @param {SetRow[]} rows */
function sorted(rows) {
  const { by, down } = view.sort;
  if (by === "place") return down ? rows.reverse() : rows;
  const column = columnOf(by);
  const keyed = rows.map((row) => ({ row, key: column?.key(row) ?? null }));
  return keyed.sort((a, b) => compare(a.key, b.key, down)).map(({ row }) => row);
}

/** What has no figure stands at the end, whichever way. @param {string | number | null} a @param {string | number | null} b @param {boolean} down */
function compare(a, b, down) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const sign = typeof a === "string" ? a.localeCompare(String(b)) : a - Number(b);
  return down ? -sign : sign;
}
