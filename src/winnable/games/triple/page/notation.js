// Boards of triple as one line of text: see games/triple/levels/text.py, whose word is the last one. A drawing that is no
// board yet, as it has too few tiles or kinds that do not come in threes, is read and written likewise.

import { anyOverlap } from "./places.js";
/** @import { Tile } from "./places.js" */

export const MOST_SLOTS = 10_000;
export const MOST_KINDS = 64;
const FARTHEST = 100_000;
const MOST_TILES = 100_000;
const MOST_USES = 1000;
const HEAD = /^(\d{1,9})(?:\+tools=(\d{1,9})\.(\d{1,9})\.(\d{1,9})\.(\d{1,16}))?$/;
const LAYER = /^(\d{1,9})=/;
const TILE = /^(\d{1,9})@(\d{1,9})\.(\d{1,9})(h?)$/;

/** tools: how often each may be used, and the seed of shuffles; null without them.
 *  @typedef {{ slots: number, tools: number[] | null, tiles: Tile[] }} Board */

/** Null when the text is no board. @param {string} text @returns {Board | null} */
export function readBoard(text) {
  const [head, body, more] = text.trim().split(":");
  const [, slots, ...given] = HEAD.exec(head) ?? [];
  if (slots === undefined || body === undefined || more !== undefined || Number(slots) < 1 || Number(slots) > MOST_SLOTS) return null;
  const tools = given[0] === undefined ? null : given.map(Number);
  if (tools && !(tools.slice(0, 3).every((uses) => uses <= MOST_USES) && Number.isSafeInteger(tools[3]))) return null;
  const tiles = body === "" ? [] : readTiles(body);
  return tiles && !anyOverlap(tiles) ? { slots: Number(slots), tools, tiles } : null;
}

/** @param {string} body */
function readTiles(body) {
  const tiles = /** @type {Tile[]} */ ([]);
  let layer = -1;
  for (const group of body.split("/")) {
    const [begun, named] = LAYER.exec(group) ?? ["", layer + 1];
    layer = Number(named);
    for (const part of group.slice(begun.length).split(",")) {
      const found = TILE.exec(part);
      if (!found || tiles.length === MOST_TILES) return null;
      const [kind, x, y] = found.slice(1, 4).map(Number);
      if (kind >= MOST_KINDS || Math.max(x, y, layer) > FARTHEST) return null;
      tiles.push({ kind, x, y, layer, hidden: found[4] === "h" });
    }
  }
  return tiles;
}

/** @param {Board} board */
export function writeBoard({ slots, tools, tiles }) {
  const groups = /** @type {string[]} */ ([]);
  let layer = -1;
  tiles.forEach(({ kind, x, y, layer: own, hidden }, index) => {
    const text = `${kind}@${x}.${y}${hidden ? "h" : ""}`;
    if (index && own === layer) groups.push(`${groups.pop()},${text}`);
    else groups.push(own === layer + 1 ? text : `${own}=${text}`);
    layer = own;
  });
  return `${slots}${tools ? `+tools=${tools.join(".")}` : ""}:${groups.join("/")}`;
}
