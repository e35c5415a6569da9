// The board of pegs: a click, a touch or the keyboard takes a peg, then the hole that it jumps into. Which jumps there
// are, the server says: the module draws what `observe` shows.

import { svg } from "/static/base/dom.js";
import { stepFrom } from "/static/base/grid.js";
/** @import { BoardModule } from "/static/boards/board.js" */

/** @type {BoardModule<string[]>["createBoard"]} */
export function createBoard(container, { onAction, t, number }) {
  const board = svg("svg", { class: "board pegs-board", role: "group", "data-testid": "board" });
  container.append(board);
  let [shape, signs, size, cursor, taken] = ["", "", { rows: 0, columns: 0 }, 0, -1];
  let legal = /** @type {number[]} */ ([]), cells = /** @type {SVGElement[]} */ ([]);
  // An action is 4 * cell + the way of the jump: up, right, down, left.
  const end = (/** @type {number} */ action) => (action >> 2) + 2 * [-size.columns, 1, size.columns, -1][action & 3];
  const jumpTo = (/** @type {number} */ at) => legal.find((action) => action >> 2 === taken && end(action) === at);
  const movable = (/** @type {number} */ at) => legal.some((action) => action >> 2 === at);
  const paint = (/** @type {number | null} */ hint = null) => cells.forEach((cell, at) => {
    const hinted = hint !== null && (hint >> 2 === at || end(hint) === at);
    const is = { peg: signs[at] === "o", none: signs[at] === "x", pickable: movable(at) || jumpTo(at) !== undefined, taken: at === taken, hinted };
    for (const [name, holds] of Object.entries(is)) cell.classList.toggle(name, holds);
    cell.setAttribute("aria-pressed", String(is.taken));
    const place = { x: number((at % size.columns) + 1), y: number(Math.floor(at / size.columns) + 1) };
    cell.setAttribute("aria-label", t(is.peg ? "pegs.peg" : "pegs.hole", place));
  });
  const press = (/** @type {number} */ at) => {
    const jump = jumpTo(at);
    taken = movable(at) && at !== taken ? at : -1;
    paint();
    if (jump !== undefined) onAction(jump);
  };
  const pointTo = (/** @type {number} */ at) => {
    cells.forEach((cell, other) => cell.setAttribute("tabindex", other === at ? "0" : "-1"));
    cursor = at;
  };
  const build = () => {
    board.setAttribute("viewBox", `0 0 ${size.columns} ${size.rows}`);
    cells = [...signs].map((_, at) => svg("circle", { class: "pegs-cell", role: "button", r: 0.4,
      cx: (at % size.columns) + 0.5, cy: Math.floor(at / size.columns) + 0.5 }));
    cells.forEach((cell, at) => {
      cell.addEventListener("click", () => press(at));
      cell.addEventListener("focus", () => pointTo(at));
    });
    board.replaceChildren(...cells);
    pointTo(signs.search(/[^x]/));
  };
  return {
    render(rows, allowed) {
      const before = shape;
      [shape, signs, size] = [rows.join("/").replaceAll("o", "."), rows.join(""), { rows: rows.length, columns: rows[0].length }];
      [legal, taken] = [allowed ?? [], -1];
      if (shape !== before) build();
      paint();
    },
    highlight: (action) => paint(action),
    moveCursor(dx, dy) {
      let to = board.contains(document.activeElement) ? stepFrom(cursor, dx, dy, size) : cursor;
      while (signs[to] === "x" && stepFrom(to, dx, dy, size) !== to) to = stepFrom(to, dx, dy, size);
      cells[signs[to] === "x" ? cursor : to].focus();
    },
    pickCursor: () => press(cursor),
    describe: (name) => name,
    status: (rows) => t("fact.pegs", { value: number(rows.join("").split("o").length - 1) }),
    remaining: () => null,
    extras: () => [],
    relabel: () => paint(),
    destroy: () => board.remove(),
  };
}
