// Boards of rotate as one line of text: see games/rotate/levels/text.py, whose word is the last one.

/** @import { CellBoard } from "/static/boards/board-editor.js" */

export const SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz";
export const MOST_SIDE = 64;
export const MOST_COLOURS = 26;
const MOST_LABEL = (MOST_SIDE * MOST_SIDE) / 2 - 1;

/** @typedef {{ rules: string, turns: number | null }} Options */

/** Null when the text is no board. @param {string} text @returns {(CellBoard & Options) | null} */
export function readBoard(text) {
  const [head, ...options] = text.replace(/\s+/g, "").toLowerCase().split(",");
  const lines = head.split("/").map((line) => (line.includes(".") ? line.split(".") : [...line]).map((cell) => readCell(cell, line.includes("."))));
  const columns = lines[0].length;
  const fits = [lines.length, columns].every((side) => side >= 2 && side <= MOST_SIDE) && lines.every((line) => line.length === columns && !line.includes(null));
  const given = new Map(options.map((option) => /** @type {[string, string]} */ (option.split("=", 2))));
  const { rules = "clusters", turns = /** @type {string | null} */ (null), ...unknown } = Object.fromEntries(given);
  const known = given.size === options.length && !Object.keys(unknown).length && ["clusters", "pairs"].includes(rules) && (turns === null || /^\d{1,7}$/.test(turns));
  if (!fits || !known) return null;
  return { rows: lines.length, columns, cells: lines.flat().map(Number), rules, turns: turns === null ? null : Number(turns) };
}

/** @param {string} cell @param {boolean} wide */
function readCell(cell, wide) {
  if (!wide) return SIGNS.includes(cell) ? SIGNS.indexOf(cell) : null;
  return /^\d{1,4}$/.test(cell) && Number(cell) <= MOST_LABEL ? Number(cell) : null;
}

/** turns: null for as many as it takes. @param {CellBoard} board @param {Options} options */
export function writeBoard({ rows, columns, cells }, { rules, turns }) {
  const wide = Math.max(...cells) >= SIGNS.length;
  /** @param {number[]} row */
  const line = (row) => (wide ? row.join(".") : row.map((cell) => SIGNS[cell]).join(""));
  const lines = Array.from({ length: rows }, (_, y) => line(cells.slice(y * columns, (y + 1) * columns)));
  return [lines.join("/"), rules === "clusters" ? [] : `rules=${rules}`, turns === null ? [] : `turns=${turns}`].flat().join(",");
}
