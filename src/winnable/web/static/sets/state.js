// The set that is shown, as the page knows it: the studio's word on its levels, and how a person looks at them.

import { send } from "../desk/game.js";
/** @import { SetInfo, SetRow, SetWorking } from "../base/messages.js" */

/** @typedef {"all" | "wrong" | "lost" | "undecided" | "doubled"} Only */

export const view = {
  /** All kept sets; null before the studio has told them. */
  all: /** @type {SetInfo[] | null} */ (null),
  /** The open one. */
  info: /** @type {SetInfo | null} */ (null),
  order: /** @type {number[]} */ ([]),
  /** Also those that were removed: they may come back. */
  rows: /** @type {Map<number, SetRow>} */ (new Map()),
  /** Number -> its place, from 0. */
  places: /** @type {Map<number, number>} */ (new Map()),
  work: /** @type {SetWorking | null} */ (null),
  sort: { by: "place", down: false },
  find: "",
  only: /** @type {Only} */ ("all"),
  /** The numbers that are shown, as sorted and filtered. */
  shown: /** @type {number[]} */ ([]),
  selected: /** @type {Set<number>} */ (new Set()),
  /** Where the keyboard is. */
  active: /** @type {number | null} */ (null),
  /** From where a selection with Shift goes. */
  anchor: /** @type {number | null} */ (null),
  /** Whether the levels, or which of them are shown, are not what was drawn last. */
  stale: true,
  /** Orders that were left, newest last. */
  before: /** @type {number[][]} */ ([]),
};

/** Orders that can be come back to. */
const MOST_BEFORE = 50;
/** What draws when something has changed, in this order. @type {(() => void)[]} */
const drawers = [];
let waits = false;

/** @param {() => void} draw */
export const drawnBy = (draw) => drawers.push(draw);

/** Draws what has changed, once a frame. rows: the levels, or which of them are shown. */
export function changed(rows = false) {
  view.stale ||= rows;
  if (waits) return;
  waits = true;
  requestAnimationFrame(() => {
    waits = false;
    for (const draw of drawers) draw();
    view.stale = false;
  });
}

/** @param {number} number */
export const rowOf = (number) => view.rows.get(number);

/** The rows of the set in its order. */
export const rowsInOrder = () => view.order.flatMap((number) => rowOf(number) ?? []);

/** What is done is done with the selected levels, in the set's order; without any, with the one where the keyboard is. */
export function chosen() {
  const numbers = view.order.filter((number) => view.selected.has(number));
  return numbers.length || view.active === null || !view.places.has(view.active) ? numbers : [view.active];
}

/** All that are shown; where they are selected already, none. */
export function selectAll() {
  const all = view.shown.every((number) => view.selected.has(number));
  view.selected = new Set(all ? [] : view.shown);
  changed();
}

/** Whether levels can be moved where they are seen: the table shows the set's own order. */
export const movable = () => view.sort.by === "place" && !view.sort.down;

/** The set has these levels from now on, in this order. @param {number[]} order */
export function reorder(order) {
  if (order.length === view.order.length && order.every((number, place) => number === view.order[place])) return;
  if (putOrder(order)) view.before = [...view.before.slice(1 - MOST_BEFORE), view.order];
  view.order = order;
  changed(true);
}

/** @param {number[]} levels */
function putOrder(levels) {
  const known = Math.max(-1, ...view.rows.keys()) + 1;
  return view.info !== null && send({ type: "set_order", set: view.info.id, levels, known });
}

/** The order before the last change; what has come since then stays. */
export function undo() {
  const order = view.before.pop();
  if (!order) return;
  const there = new Set(order);
  const whole = [...order, ...view.order.filter((number) => !there.has(number))];
  if (putOrder(whole)) view.order = whole;
  changed(true);
}

/** Moves levels in front of another one; null: to the end. @param {number[]} numbers @param {number | null} next */
export function move(numbers, next) {
  const moved = new Set(numbers);
  // The one in front of which they go may be moved itself: then it is the next that stays.
  const from = next === null ? view.order.length : view.places.get(next) ?? view.order.length;
  const at = view.order.slice(from).find((number) => !moved.has(number));
  const rest = view.order.filter((number) => !moved.has(number));
  rest.splice(at === undefined ? rest.length : rest.indexOf(at), 0, ...view.order.filter((number) => moved.has(number)));
  reorder(rest);
}

/** The order in which the table shows its levels becomes the set's; those that it does not show keep their places. */
export function keepOrder() {
  const shown = new Set(view.shown);
  const next = view.shown.values();
  reorder(view.order.map((number) => (shown.has(number) ? next.next().value ?? number : number)));
  view.sort = { by: "place", down: false };
  changed(true);
}
