// The table of levels. Only the rows in sight are in the document, and the one where the keyboard is, so that ten thousand
// scroll like ten. On a narrow page each row is a card.

import { $, el, redraw, show, sure } from "../base/dom.js";
import { currentLanguage, number, t } from "../base/i18n.js";
import { columnsNow, spoken } from "./columns.js";
import { askPictures, mountPictures, pictureOf } from "./pictures.js";
import { changed, movable, rowOf, selectAll, view } from "./state.js";
/** @import { SetRow } from "../base/messages.js" */

/** So many rows more than are seen, on both sides. */
const MORE = 6;
/** Number -> its row in the document, and what that was made of. @type {Map<number, { element: HTMLElement, made: string, row: SetRow }>} */
const drawn = new Map();

/** Of a row, and of all that is seen: read when something else than the place in it changes, as reading takes long. */
const size = { row: 60, box: 0 };

/** As the style sheet says, which knows how wide the page is. */
export const rowHeight = () => size.row;

function measure() {
  size.row = parseFloat(getComputedStyle($("sets-body")).getPropertyValue("--row")) || size.row;
  size.box = $("sets-box").clientHeight;
}

/** @param {string} by */
export function sortBy(by, down = view.sort.by === by && !view.sort.down) {
  view.sort = { by, down };
  changed(true);
}

/** What changes where the columns do. */
const stamp = () => `${currentLanguage()} ${columnsNow().map(({ id }) => id).join()} ${movable()}`;

function drawHead() {
  const { by, down } = view.sort;
  const columns = columnsNow();
  $("sets-grid").style.setProperty("--columns", `44px 68px ${columns.map(({ width }) => width).join(" ")}`);
  $("sets-grid").setAttribute("aria-rowcount", view.shown.length + 1);
  $("sets-grid").setAttribute("aria-colcount", columns.length + 2);
  redraw($("sets-head"),
    el("span", { role: "columnheader", class: "set-check" }, el("button", { class: "quiet", type: "button", "aria-label": t("sets.select-all"), title: t("sets.select-all"), "data-testid": "sets-check-all", onclick: selectAll }, el("span", { class: "set-box" }))),
    el("span", { role: "columnheader", class: "set-picture" }, el("span", { class: "sr-only" }, t("sets.column.picture"))),
    ...columns.map(({ id, title, number: right }) => {
      const here = id === by;
      return el("span", { role: "columnheader", "data-key": id, class: right ? "right" : null, "aria-sort": here ? (down ? "descending" : "ascending") : null },
        el("button", { class: "quiet", type: "button", "data-testid": `sets-sort-${id}`, title, onclick: () => sortBy(id) }, el("span", {}, title), here ? el("span", { class: "set-sorted", "aria-hidden": "true" }, down ? "▼" : "▲") : null));
    }));
}

/** @param {SetRow} row */
function rowElement(row) {
  const { number } = row;
  const columns = columnsNow();
  const title = t("sets.grip");
  return el("div", { role: "row", class: "set-row", id: `set-row-${number}`, tabindex: -1, "data-number": number, "data-testid": "sets-row", "aria-label": spoken(row) },
    el("span", { role: "gridcell", class: "set-check" }, el("span", { class: "set-box" })),
    el("span", { role: "gridcell", class: "set-picture" }, el("img", { alt: "" })),
    ...columns.map((column) => el("span", { role: "gridcell", "data-column": column.id, class: column.number ? "right" : null },
      ...(column.id === "place" ? [movable() ? el("span", { class: "set-grip", title, "aria-hidden": "true" }) : null, el("b", {})] : column.cell(row)))));
}

/** @param {number} of @param {number} at @param {number} height @param {string} made */
function place(of, at, height, made) {
  const row = sure(rowOf(of));
  let one = drawn.get(of);
  if (!one || one.row !== row || one.made !== made) {
    const focused = one?.element === document.activeElement;
    const element = rowElement(row);
    one?.element.replaceWith(element);
    one = { element, made, row };
    drawn.set(of, one);
    if (focused) element.focus({ preventScroll: true });
  }
  const { element } = one;
  const active = of === view.active;
  element.style.transform = `translateY(${at * height}px)`;
  element.setAttribute("aria-rowindex", at + 2);
  element.setAttribute("aria-selected", view.selected.has(of));
  element.tabIndex = active ? 0 : -1;
  element.classList.toggle("active", active);
  sure(element.querySelector("[data-column=place] b")).textContent = number((view.places.get(of) ?? 0) + 1);
  const image = sure(element.querySelector("img"));
  const picture = pictureOf(of);
  show(image, picture !== null);
  if (picture !== null && image.getAttribute("src") !== picture) image.src = picture;
  return element;
}

/** From which to which of the shown rows are in sight, and some more. @param {number} height */
function inSight(height) {
  const { scrollTop } = $("sets-box");
  return [Math.max(0, Math.floor(scrollTop / height) - MORE), Math.ceil((scrollTop + size.box) / height) + MORE];
}

function drawRows() {
  const body = $("sets-body");
  const height = rowHeight();
  const [from, to] = inSight(height);
  const wanted = view.shown.slice(from, to).map((of, i) => /** @type {[number, number]} */ ([of, from + i]));
  const at = view.active === null ? -1 : view.shown.indexOf(view.active);
  if (at >= 0 && at < from) wanted.unshift([sure(view.active), at]);
  if (at >= to) wanted.push([sure(view.active), at]);
  const numbers = new Set(wanted.map(([of]) => of));
  for (const [of, { element }] of drawn) {
    if (numbers.has(of)) continue;
    element.remove();
    drawn.delete(of);
  }
  body.style.height = `${view.shown.length * height}px`;
  const made = stamp();
  const focused = body.contains(document.activeElement);
  const elements = wanted.map(([of, where]) => place(of, where, height, made));
  let next = body.firstElementChild;
  for (const element of elements) {
    if (element === next) next = next.nextElementSibling;
    else body.insertBefore(element, next);
  }
  // One that moves among the others loses the focus.
  if (focused && !body.contains(document.activeElement)) drawn.get(view.active ?? -1)?.element.focus({ preventScroll: true });
  askPictures(view.shown.slice(from, to));
}

export function drawTable() {
  if (view.stale) drawHead();
  measure();
  drawRows();
}

/** Brings a level into sight; focus: with the keyboard. @param {number} of */
export function reveal(of, focus = true) {
  const at = view.shown.indexOf(of);
  if (at < 0) return;
  const box = $("sets-box");
  const height = rowHeight();
  const head = $("sets-head").offsetHeight;
  const top = at * height;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + height > box.scrollTop + box.clientHeight - head) box.scrollTop = top + height - box.clientHeight + head;
  view.active = of;
  drawRows();
  if (focus) drawn.get(of)?.element.focus({ preventScroll: true });
}

export function mountTable() {
  mountPictures(drawRows);
  $("sets-box").addEventListener("scroll", drawRows, { passive: true });
}
