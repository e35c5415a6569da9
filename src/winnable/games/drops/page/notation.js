// Boards of drops as one line of text: see games/drops/levels/text.py, whose word is the last one.

/** @import { CellBoard } from "/static/boards/board-editor.js" */

export const MOST_SIDE = 32;
export const FULL = 4;
export const RULES = ["classic", "snappers", "symmetric", "half"];
const OPTIONS = ["rules", "drops", "open"];

/** @typedef {{ rules: string, drops: number | null, open: boolean }} Options */

/** Null when the text is no board. A board of the endless game is taken as
 *  a single one, and a tank that gains as none.
 *  @param {string} text */
export function readBoard(text) {
  const [head, ...options] = text.replace(/\s+/g, "").split(",");
  const lines = head.split("/");
  const [rows, columns] = [lines.length, lines[0].length];
  const fits = rows <= MOST_SIDE && lines.every((line) => /^[0-4]{1,32}$/.test(line) && line.length === columns);
  const given = new Map(options.map((option) => /** @type {[string, string | undefined]} */ (option.split("="))));
  const gains = Number(given.delete("flash")) + Number(given.delete("every"));
  const [rules, drops] = [given.get("rules") ?? RULES[0], gains ? "" : (given.get("drops") ?? "")];
  const known = [...given.keys()].every((key) => OPTIONS.includes(key)) && given.size + gains === options.length;
  if (!fits || !known || !RULES.includes(rules) || !/^\d{0,6}$/.test(drops) || (given.get("open") ?? "") !== "") return null;
  return { rows, columns, cells: [...lines.join("")].map(Number), rules, drops: drops === "" ? null : Number(drops), open: given.has("open") };
}

/** drops: null for as many as it takes.
 *  @param {CellBoard} board @param {Options} options */
export function writeBoard({ rows, columns, cells }, { rules, drops, open }) {
  const lines = Array.from({ length: rows }, (_, y) => cells.slice(y * columns, (y + 1) * columns).join(""));
  const options = [rules === RULES[0] ? [] : `rules=${rules}`, drops === null ? [] : `drops=${drops}`, open ? "open" : []];
  return [lines.join("/"), ...options.flat()].join(",");
}
