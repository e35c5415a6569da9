// Boards of 2048 as one line of text: see games/game2048/levels/text.py, whose word is the last one.

/** @import { CellBoard } from "/static/boards/board-editor.js" */

export const SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz";
export const [LEAST_SIDE, MOST_SIDE] = [2, 8];
export const FOURS = 10;
const SIDE = 4;
const BEGINNING = "-";
const KEYS = ["rows", "columns", "goal", "fours", "dice"];

/** @typedef {{ goal: number | null, ends: boolean, fours: number, dice: number }} Options */

/** Null when the text is no board. cells: exponents; only zeros when the game is from the beginning. goal: an exponent,
 *  null for none.
 *  @param {string} text @returns {(CellBoard & Options) | null} */
export function readBoard(text) {
  const [head, ...options] = text.replace(/\s+/g, "").toLowerCase().split(",");
  const given = new Map(options.map((option) => /** @type {[string, string]} */ (option.split("=", 2))));
  const ends = given.delete("ends");
  if (given.size + Number(ends) !== options.length || ![...given].every(([key, value]) => KEYS.includes(key) && /^\d{1,16}$/.test(value))) return null;
  const { goal = /** @type {number | null} */ (null), fours = FOURS, dice = 0, ...sides } = Object.fromEntries([...given].map(([key, value]) => [key, Number(value)]));
  const lines = head === BEGINNING ? null : /^\w{16}$/.test(head) ? (head.match(/.{4}/g) ?? []) : head.split("/");
  const { rows = lines?.length ?? SIDE, columns = lines?.[0].length ?? SIDE } = sides;
  const cells = lines ? [...lines.join("")].map((sign) => SIGNS.indexOf(sign)) : Array(rows * columns).fill(0);
  const fits = [rows, columns].every((side) => side >= LEAST_SIDE && side <= MOST_SIDE) && (!lines || (lines.length === rows && lines.every((line) => line.length === columns)));
  const exponent = goal === null ? null : Math.log2(goal);
  const reachable = exponent === null ? !ends : Number.isInteger(exponent) && exponent >= 3 && exponent < SIGNS.length;
  if (!fits || cells.includes(-1) || !reachable || fours > 100 || !Number.isSafeInteger(dice)) return null;
  return { rows, columns, cells, goal: exponent, ends, fours, dice };
}

/** The rows of a board, without options. @param {CellBoard} board */
function writeRows({ rows, columns, cells }) {
  return Array.from({ length: rows }, (_, y) => cells.slice(y * columns, (y + 1) * columns).map((exponent) => SIGNS[exponent]).join(""));
}

/** @param {CellBoard} board @param {Options} options */
export function writeBoard(board, { goal, ends, fours, dice }) {
  const { rows, columns, cells } = board;
  /** @param {string} name @param {number | null} value @param {number | null} usual */
  const option = (name, value, usual) => (value === usual ? [] : `${name}=${value}`);
  const head = cells.some(Boolean) ? writeRows(board).join("/") : [BEGINNING, option("rows", rows, SIDE), option("columns", columns, SIDE)].flat().join(",");
  return [head, option("goal", goal === null ? null : 2 ** goal, null), ends ? "ends" : [], option("fours", fours, FOURS), option("dice", dice, 0)].flat().join(",");
}

/** A board as programs for 4 × 4 write it, 16 digits in hex; others with a / between their rows.
 *  @param {CellBoard} board */
export function writeHex(board) {
  return writeRows(board).join(board.rows === SIDE && board.columns === SIDE ? "" : "/");
}
