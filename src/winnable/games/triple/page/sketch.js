// A drawing of triple and how it came about: tiles are put, taken, painted and moved, and each change can be undone.

import { clamp } from "/static/base/grid.js";
import { collide, dealtKinds, extent, fieldAround, fieldOf, images, middle, raised } from "./places.js";
/** @import { Board } from "./notation.js" */
/** @import { Field, Point, Tile } from "./places.js" */

const LEAST_FIELD = 64;
const MOST_STEPS = 500;
/** That all boards one can go back to may hold together: each is a list of tiles. */
const MOST_KEPT = 2_000_000;
const LOWEST = 0;

export class Sketch {
  /** Its tiles lie from the lowest layer up once something was changed. @type {Board} */
  board = { slots: 7, tools: null, tiles: [] };
  /** @type {Field} */
  field = fieldOf([], LEAST_FIELD);
  symmetry = "none";
  /** @type {Board[]} */
  past = [];
  /** @type {Board[]} */
  future = [];
  /** Whether a drag is under way, all of whose changes are one step; joined: whether it has made one. */
  drags = false;
  joined = false;

  get tiles() {
    return this.board.tiles;
  }

  /** The highest that has a tile. */
  get top() {
    return this.tiles.reduce((top, { layer }) => Math.max(top, layer), LOWEST);
  }

  /** Where it begins as it is written: no place is negative there. */
  get origin() {
    return { x: Math.min(0, extent(this.tiles, "x")[0]), y: Math.min(0, extent(this.tiles, "y")[0]) };
  }

  /** As it is written. */
  get written() {
    const { x, y } = this.origin;
    return x || y ? { ...this.board, tiles: this.tiles.map((tile) => ({ ...tile, x: tile.x - x, y: tile.y - y })) } : this.board;
  }

  // -- changes --------------------------------------------------------------------------------------------------------

  /** @param {Partial<Board>} changes */
  change(changes) {
    if (!this.joined) this.past = [...this.past, this.board].slice(-clamp(MOST_KEPT / (this.tiles.length || 1), 1, MOST_STEPS));
    this.joined = this.drags;
    this.future = [];
    this.board = { ...this.board, ...changes };
    if (changes.tiles) this.board.tiles = [...changes.tiles].sort((a, b) => a.layer - b.layer);
  }

  /** Another drawing in place of this one. @param {Board} board */
  replace(board) {
    if (this.tiles.length) this.change({});
    this.board = board;
    this.field = fieldOf(board.tiles, LEAST_FIELD);
  }

  /** Back, or forth again; false where there is nothing. @param {"past" | "future"} from */
  travel(from) {
    const board = this[from].pop();
    if (!board) return false;
    this[from === "past" ? "future" : "past"].push(this.board);
    this.board = board;
    this.resize();
    return true;
  }

  /** Also gives way to what lies further out. @param {number} [width] @param {number} [height] */
  resize(width, height) {
    const { left, top, right, bottom } = this.field;
    this.field = fieldAround(left + right, top + bottom, width ?? right - left, height ?? bottom - top, this.tiles);
  }

  /** The field's middle goes to that of the tiles. */
  centre() {
    const { left, top, right, bottom } = this.field;
    if (this.tiles.length) this.field = fieldAround(...middle(this.tiles), right - left, bottom - top, this.tiles);
  }

  /** @param {boolean} drags */
  drag(drags) {
    this.drags = drags;
    this.joined = false;
  }

  // -- tiles at places ------------------------------------------------------------------------------------------------

  /** Puts a tile and its images into the lowest layer from this one up that has room for all, or only into this one; returns
   *  which it was, or null where there is no room or they are in each other's way.
   *  @param {Point} place @param {number} layer @param {number} kind */
  put(place, layer, kind, only = false) {
    const places = images(place, this.symmetry, this.field);
    if (collide(places)) return null;
    const tiles = raised(places.map((at) => ({ kind, ...at, layer, hidden: false })), this.tiles);
    if (only && tiles[0].layer !== layer) return null;
    this.change({ tiles: [...this.tiles, ...tiles] });
    return tiles[0].layer;
  }

  /** @param {Point} place @param {number} layer */
  at({ x, y }, layer) {
    return this.tiles.find((tile) => tile.layer === layer && tile.x === x && tile.y === y);
  }

  /** The tile and those at its images. @param {Tile} tile */
  withImages(tile) {
    return images(tile, this.symmetry, this.field).map((place) => this.at(place, tile.layer)).filter((twin) => twin !== undefined);
  }

  /** Makes something else of these tiles, or nothing. @param {Iterable<Tile>} tiles @param {((tile: Tile) => Tile) | null} work */
  remake(tiles, work) {
    const meant = new Set(tiles);
    this.change({ tiles: work ? this.tiles.map((tile) => (meant.has(tile) ? work(tile) : tile)) : this.tiles.filter((tile) => !meant.has(tile)) });
  }

  /** Puts these tiles so much further, within the field and as high as they need to lie, in place of those that are to go;
   *  returns them. @param {Tile[]} tiles @param {Point} by @param {Set<Tile>} going */
  move(tiles, by, going = new Set(tiles)) {
    const { left, top, right, bottom } = this.field;
    const [[west, east], [north, south]] = [extent(tiles, "x"), extent(tiles, "y")];
    const [dx, dy] = [clamp(by.x, left - west, right - east), clamp(by.y, top - north, bottom - south)];
    const others = this.tiles.filter((tile) => !going.has(tile));
    const moved = raised(tiles.map((tile) => ({ ...tile, x: tile.x + dx, y: tile.y + dy })), others);
    this.change({ tiles: [...others, ...moved] });
    return moved;
  }

  /** Deals so many kinds onto the tiles as they lie. @param {number} kinds */
  deal(kinds) {
    const dealt = dealtKinds(this.tiles.length, kinds);
    this.change({ tiles: this.tiles.map((tile, index) => ({ ...tile, kind: dealt[index] })) });
  }

  /** Takes the kinds of a board with the same places, in the same order; returns the tiles that have another one.
   *  @param {Board} board */
  takeKinds({ tiles }) {
    this.change({ tiles: this.tiles.map((tile, index) => (tiles[index].kind === tile.kind ? tile : { ...tile, kind: tiles[index].kind })) });
    const before = new Set(this.past.at(-1)?.tiles);
    return this.tiles.filter((tile) => !before.has(tile));
  }

  /** How many tiles each kind has, by kind. @returns {Map<number, number>} */
  counts() {
    const counts = new Map();
    for (const { kind } of [...this.tiles].sort((a, b) => a.kind - b.kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts;
  }
}
