// Boards of tetris as one line of text: see games/tetris/levels/text.py, whose word is the last one.

/** @import { CellBoard } from "/static/boards/board-editor.js" */

export const RULES = ["simplified", "travel", "article"];
export const [WIDTHS, HEIGHTS] = /** @type {[number, number][]} */ ([[4, 16], [6, 40]]);
const [WIDTH, HEIGHT] = [10, 20];
export const PIECES = "IOTSZJL";
export const MOST_PIECES = 10_000;
const KEYS = ["width", "height", "top", "dice"];

/** @typedef {{ rules: string, preview: boolean, top: number | null, pieces: string, dice: number }} Options */

/** Null when the text is no board. cells: 1 where it is filled.
 *  @param {string} text @returns {(CellBoard & Options) | null} */
export function readBoard(text) {
  const [head, ...options] = (text.trim() || "-").replace(/\s+/g, "").split(",");
  const given = new Map(options.map((option) => /** @type {[string, string]} */ (option.split("=", 2))));
  const preview = given.delete("preview");
  const rules = given.get("rules") ?? RULES[0];
  given.delete("rules");
  const pieces = given.get("pieces") ?? "";
  given.delete("pieces");
  if (!RULES.includes(rules) || !/^[IOTSZJL]*$/.test(pieces) || pieces.length > MOST_PIECES || ![...given].every(([key, value]) => KEYS.includes(key) && /^\d{1,16}$/.test(value))) return null;
  const wall = head === "-" ? [] : head.split("/");
  const { width = wall[0]?.length ?? WIDTH, height = HEIGHT, top = /** @type {number | null} */ (null), dice = 0 } = Object.fromEntries([...given].map(([key, value]) => [key, Number(value)]));
  /** @param {[number, number]} limits @param {number} side */
  const fits = ([least, most], side) => side >= least && side <= most;
  if (!fits(WIDTHS, width) || !fits(HEIGHTS, height) || wall.length > height || !wall.every((row) => row.length === width && /^[.x]+$/.test(row)) || !Number.isSafeInteger(dice)) return null;
  const cells = [...".".repeat((height - wall.length) * width), ...wall.join("")].map((cell) => Number(cell === "x"));
  return { rows: height, columns: width, cells, rules, preview, top, pieces, dice };
}

/** @param {CellBoard} board @param {Options} options */
export function writeBoard({ rows, columns, cells }, { rules, preview, top, pieces, dice }) {
  const all = Array.from({ length: rows }, (_, y) => cells.slice(y * columns, (y + 1) * columns).map((cell) => (cell ? "x" : ".")).join(""));
  const highest = all.findIndex((row) => row.includes("x"));
  /** @param {string} name @param {string | number | null} value @param {string | number | null} usual */
  const option = (name, value, usual) => (value === usual ? [] : `${name}=${value}`);
  const head = highest < 0 ? ["-", option("width", columns, WIDTH)].flat().join(",") : all.slice(highest).join("/");
  return [head, option("height", rows, HEIGHT), option("rules", rules, RULES[0]), preview ? "preview" : [], option("top", top, null), option("pieces", pieces, ""), option("dice", dice, 0)].flat().join(",");
}
