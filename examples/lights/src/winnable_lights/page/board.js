// The board of lights: a lamp for each cell, pressed by a click, a touch or the keyboard. What a press does, the
// server says: the module draws what `observe` shows.

import { el, setText, svg } from "/static/base/dom.js";
import { stepFrom } from "/static/base/grid.js";
/** @import { BoardModule } from "/static/boards/board.js" */
/** @typedef {{ rows: number, columns: number, cells: number[], left: number }} View */

/** @type {BoardModule<View>["createBoard"]} */
export function createBoard(container, { onAction, t, number }) {
  const board = svg("svg", { class: "board lights-board", role: "group", "data-testid": "board" });
  const told = el("p", { class: "note lights-told" });
  const element = el("div", { class: "lights" }, board, told);
  container.append(element);
  /** @type {View} */
  let view;
  /** @type {SVGElement[]} */
  let lamps = [];
  let cursor = 0;
  const press = (/** @type {number} */ cell) => {
    if (lamps[cell].classList.contains("pickable")) onAction(cell);
  };
  const pointTo = (/** @type {number} */ cell) => {
    cursor = cell;
    lamps.forEach((lamp, at) => lamp.setAttribute("tabindex", at === cell ? "0" : "-1"));
  };
  const build = (/** @type {View} */ { rows, columns, cells }) => {
    board.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
    lamps = cells.map((_, cell) => svg("circle", { class: "lights-lamp", role: "button",
      cx: (cell % columns) + 0.5, cy: Math.floor(cell / columns) + 0.5, r: 0.4 }));
    lamps.forEach((lamp, cell) => {
      lamp.addEventListener("click", () => press(cell));
      lamp.addEventListener("focus", () => pointTo(cell));
    });
    board.replaceChildren(...lamps);
    pointTo(0);
  };
  const status = (/** @type {View} */ { cells, left }) => t("lights.status", { n: number(cells.filter(Boolean).length), left: number(left) });
  const label = () => {
    setText(told, status(view));
    lamps.forEach((lamp, cell) => lamp.setAttribute("aria-label", t(view.cells[cell] ? "lights.lit" : "lights.dark",
      { x: number((cell % view.columns) + 1), y: number(Math.floor(cell / view.columns) + 1) })));
  };
  return {
    render(next, legal) {
      if (!view || view.rows !== next.rows || view.columns !== next.columns) build(next);
      view = next;
      lamps.forEach((lamp, cell) => {
        lamp.setAttribute("class", `lights-lamp ${view.cells[cell] ? "lit" : ""}`);
        lamp.classList.toggle("pickable", legal === null || legal.includes(cell));
      });
      label();
    },
    highlight: (action) => lamps.forEach((lamp, cell) => lamp.classList.toggle("hinted", cell === action)),
    moveCursor(dx, dy) {
      lamps[board.contains(document.activeElement) ? stepFrom(cursor, dx, dy, view) : cursor].focus();
    },
    pickCursor: () => press(cursor),
    describe: (name) => name,
    status,
    remaining: () => null,
    extras: () => [],
    relabel: label,
    destroy: () => element.remove(),
  };
}
