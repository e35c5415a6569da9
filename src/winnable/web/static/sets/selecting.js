// Which levels are selected, and how they are moved: by pointers and by the keyboard, as in a list of files.

import { hold } from "../base/browser.js";
import { $, show } from "../base/dom.js";
import { announce } from "../base/notify.js";
import { number, t } from "../base/i18n.js";
import { isCommand, keyOf } from "../base/keyboard.js";
import { changed, chosen, movable, move, selectAll, undo, view } from "./state.js";
import { reveal, rowHeight } from "./table.js";
/** @import { Actions } from "./actions.js" */

/** Pixels that a pointer may tremble, and so near an edge the table scrolls. */
const TREMBLE = 5;
const EDGE = 40;

/** @param {number[]} numbers @param {number | null} [active] */
export function select(numbers, active = numbers[0] ?? null) {
  view.selected = new Set(numbers);
  view.anchor = view.active = active;
  changed();
}

/** @param {number} of */
function toggle(of) {
  if (!view.selected.delete(of)) view.selected.add(of);
  view.anchor = view.active = of;
  changed();
}

/** All from where the selection began. @param {number} of */
function selectTo(of) {
  const ends = [view.shown.indexOf(view.anchor ?? of), view.shown.indexOf(of)];
  view.selected = new Set(view.shown.slice(Math.max(0, Math.min(...ends)), Math.max(...ends) + 1));
  view.active = of;
  changed();
}

/** @param {Event} event */
const rowAt = (event) => /** @type {Element} */ (event.target).closest(".set-row");

/** @param {MouseEvent} event */
function onClick(event) {
  const target = /** @type {Element} */ (event.target);
  const of = Number(rowAt(event)?.dataset.number ?? NaN);
  if (Number.isNaN(of)) return;
  const twin = target.closest("[data-twin]");
  if (twin) goTo(Number(twin.dataset.twin));
  else if (event.shiftKey) selectTo(of);
  else if (event.ctrlKey || event.metaKey || target.closest(".set-check")) toggle(of);
  else select([of]);
}

/** Shows a level, also one that the filter has hidden. @param {number} of */
export function goTo(of) {
  if (!view.shown.includes(of)) {
    view.find = "";
    view.only = "all";
    $("sets-find").value = "";
    changed(true);
  }
  select([of]);
  requestAnimationFrame(() => reveal(of));
}

/** @param {number} step @param {boolean} extend */
function walk(step, extend) {
  const at = view.shown.indexOf(view.active ?? -1);
  const of = view.shown[Math.max(0, Math.min(view.shown.length - 1, at + step))];
  if (of === undefined) return;
  if (extend) selectTo(of);
  else select([of]);
  reveal(of);
}

/** Moves the selected levels by one place. @param {number} step */
function shift(step) {
  if (!movable()) return announce(t("sets.sorted"));
  const moved = chosen();
  const at = moved.map((of) => view.shown.indexOf(of)).filter((place) => place >= 0);
  const next = step < 0 ? Math.min(...at) - 1 : Math.max(...at) + 2;
  if (!at.length || next < 0 || next > view.shown.length) return;
  move(moved, view.shown[next] ?? null);
  requestAnimationFrame(() => {
    if (view.active === null) return;
    reveal(view.active);
    announce(t("sets.moved", { n: number((view.places.get(view.active) ?? 0) + 1) }));
  });
}

/** @param {KeyboardEvent} event @param {Actions} actions */
function onKey(event, actions) {
  const key = keyOf(event);
  const page = Math.max(1, Math.floor($("sets-box").clientHeight / rowHeight()) - 1);
  /** @type {Record<string, number>} */
  const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity };
  let work = /** @type {(() => void) | undefined} */ (undefined);
  if (event.altKey) {
    if (key === "ArrowUp" || key === "ArrowDown") work = () => shift(steps[key]);
  } else if (key in steps) work = () => walk(steps[key], event.shiftKey);
  else if (isCommand(event)) work = { a: selectAll, z: undo }[key];
  else if (key === " ") work = () => view.active !== null && toggle(view.active);
  else if (key === "Enter") work = actions.play;
  else if (key === "Delete") work = actions.remove;
  if (!work) return;
  event.preventDefault();
  work();
}

/** Rows are drawn to another place by their handle; a line shows where they would go. @param {PointerEvent} event */
function drag(event) {
  const row = rowAt(event);
  const grip = /** @type {Element} */ (event.target).closest(".set-grip");
  if (!row || !grip || !movable()) return;
  event.preventDefault();
  const [box, line] = [$("sets-box"), $("sets-line")];
  const of = Number(row.dataset.number);
  const moved = view.selected.has(of) ? view.order.filter((number) => view.selected.has(number)) : [of];
  let at = /** @type {number | null} */ (null);
  let y = event.clientY;
  const height = rowHeight();
  const follow = () => {
    const { top, bottom } = box.getBoundingClientRect();
    const head = $("sets-head").offsetHeight;
    if (y < top + head + EDGE) box.scrollTop -= height / 4;
    else if (y > bottom - EDGE) box.scrollTop += height / 4;
    at = Math.max(0, Math.min(view.shown.length, Math.round((y - top - head + box.scrollTop) / height)));
    line.style.transform = `translateY(${at * height}px)`;
    show(line, true);
    timer = requestAnimationFrame(follow);
  };
  let timer = 0;
  const whileHeld = new AbortController();
  const { signal } = whileHeld;
  box.addEventListener("pointermove", (moving) => {
    y = moving.clientY;
    if (timer || Math.abs(y - event.clientY) <= TREMBLE) return;
    // What is only clicked stays the row's.
    hold(box, event);
    follow();
  }, { signal });
  const end = (/** @type {boolean} */ done) => {
    whileHeld.abort();
    cancelAnimationFrame(timer);
    show(line, false);
    if (done && at !== null) move(moved, view.shown[at] ?? null);
  };
  box.addEventListener("pointerup", () => end(true), { signal });
  box.addEventListener("pointercancel", () => end(false), { signal });
  addEventListener("keydown", (key) => keyOf(key) === "Escape" && end(false), { signal });
}

/** Escape selects nothing, wherever one is but where one types. @param {KeyboardEvent} event */
function onEscape(event) {
  if (keyOf(event) === "Escape" && view.selected.size && !/** @type {Element} */ (event.target).closest("input, select")) select([], view.active);
}

/** @param {Actions} actions What Enter and Delete do. */
export function mountSelecting(actions) {
  const body = $("sets-body");
  body.addEventListener("click", onClick);
  body.addEventListener("dblclick", (event) => rowAt(event) && !/** @type {Element} */ (event.target).closest(".set-check, button") && actions.play());
  body.addEventListener("keydown", (event) => onKey(event, actions));
  $("sets-full").addEventListener("keydown", onEscape);
  body.addEventListener("pointerdown", drag);
  $("sets-select-all").addEventListener("click", selectAll);
}
