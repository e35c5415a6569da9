// Where the tiles of a drawing of triple lie, and where others may: geometry, no rules.

/** A tile as a level has it; never changed, so that drawings share them.
 *  @typedef {{ readonly kind: number, readonly x: number, readonly y: number, readonly layer: number, readonly hidden: boolean }} Tile */
/** What is drawn on, in units. @typedef {{ left: number, top: number, right: number, bottom: number }} Field */
/** @typedef {{ x: number, y: number }} Point */

/** Of a tile, in units. */
export const SIDE = 8;
/** Half a tile: where tiles are put. */
export const STEP = SIDE / 2;

/** Each layer is drawn a little higher than the one below, so that stacks show their height; in total at most: */
export const MOST_LIFT = 4.5;
const LIFT = 0.34;

/** How much higher each layer is drawn. @param {number} top the highest */
export const liftOf = (top) => Math.min(LIFT, MOST_LIFT / Math.max(1, top));

/** What each symmetry mirrors, besides the tile itself: left and right, up and down. @type {Record<string, [boolean, boolean][]>} */
const MIRRORS = {
  none: [],
  "left-right": [[true, false]],
  "up-down": [[false, true]],
  both: [[true, false], [false, true], [true, true]],
  "half-turn": [[true, true]],
};
export const SYMMETRIES = Object.keys(MIRRORS);

/** Seen from above. @param {Point} a @param {Point} b */
const overlap = (a, b) => Math.abs(a.x - b.x) < SIDE && Math.abs(a.y - b.y) < SIDE;

/** Whether any two do that lie in one layer. @param {readonly Tile[]} tiles */
export function anyOverlap(tiles) {
  /** By layer and square; only tiles of the nine squares around can overlap. @type {Map<string, Tile[]>} */
  const squares = new Map();
  const near = [-1, 0, 1];
  for (const tile of tiles) {
    const [column, row] = [Math.floor(tile.x / SIDE), Math.floor(tile.y / SIDE)];
    const at = (/** @type {number} */ dx, /** @type {number} */ dy) => `${tile.layer}/${column + dx}/${row + dy}`;
    if (near.some((dx) => near.some((dy) => squares.get(at(dx, dy))?.some((other) => overlap(tile, other))))) return true;
    squares.set(at(0, 0), [...(squares.get(at(0, 0)) ?? []), tile]);
  }
  return false;
}

/** The tiles, higher by as few layers that none overlaps one of the others in its layer.
 *  @param {Tile[]} tiles @param {readonly Tile[]} others */
export function raised(tiles, others) {
  const below = others.filter((other) => tiles.some((tile) => overlap(tile, other)));
  for (let up = 0; ; up++) {
    if (!tiles.some((tile) => below.some((other) => other.layer === tile.layer + up && overlap(tile, other)))) {
      return up ? tiles.map((tile) => ({ ...tile, layer: tile.layer + up })) : tiles;
    }
  }
}

/** The place and those that the symmetry of the field makes of it, each once.
 *  @param {Point} place @param {string} symmetry @param {Field} field @returns {Point[]} */
export function images({ x, y }, symmetry, { left, top, right, bottom }) {
  const places = [{ x, y }];
  for (const [across, down] of MIRRORS[symmetry]) {
    const image = { x: across ? left + right - SIDE - x : x, y: down ? top + bottom - SIDE - y : y };
    if (!places.some((place) => place.x === image.x && place.y === image.y)) places.push(image);
  }
  return places;
}

/** Whether two of these places overlap. @param {Point[]} places */
export const collide = (places) => places.some((place, index) => places.slice(index + 1).some((other) => overlap(place, other)));

/** A field with these sums of its sides, which tell its middle: as large as asked for, and as the tiles need.
 *  @param {number} across @param {number} down @param {number} width @param {number} height @param {readonly Tile[]} tiles
 *  @returns {Field} */
export function fieldAround(across, down, width, height, tiles) {
  let [left, top] = [(across - width) / 2, (down - height) / 2];
  for (const { x, y } of tiles) {
    left = Math.min(left, x, across - SIDE - x);
    top = Math.min(top, y, down - SIDE - y);
  }
  [left, top] = [left, top].map((side) => Math.floor(side / STEP) * STEP);
  return { left, top, right: across - left, bottom: down - top };
}

/** The one whose middle is that of the tiles. @param {readonly Tile[]} tiles @param {number} least @returns {Field} */
export function fieldOf(tiles, least) {
  if (!tiles.length) return { left: 0, top: 0, right: least, bottom: least };
  return fieldAround(...middle(tiles), least, least, tiles);
}

/** The sums of the sides of what tiles take: twice its middle. @param {readonly Tile[]} tiles @returns {[number, number]} */
export function middle(tiles) {
  const [[left, right], [top, bottom]] = [extent(tiles, "x"), extent(tiles, "y")];
  return [left + right, top + bottom];
}

/** From where to where tiles go. @param {readonly Tile[]} tiles @param {"x" | "y"} axis */
export function extent(tiles, axis) {
  let [low, high] = [Infinity, -Infinity];
  for (const { [axis]: place } of tiles) [low, high] = [Math.min(low, place), Math.max(high, place + SIDE)];
  return [low, high];
}

/** The tile that is seen there, of those up to a layer; of two in one layer, the later one.
 *  @param {readonly Tile[]} tiles @param {number} layer @param {(tile: Tile) => Point} inTile where the point is in a tile
 *  @returns {Tile | undefined} */
export function topmost(tiles, layer, inTile) {
  /** @type {Tile | undefined} */
  let best;
  for (const tile of tiles) {
    const { x, y } = inTile(tile);
    const isThere = tile.layer <= layer && x >= 0 && x < SIDE && y >= 0 && y < SIDE;
    if (isThere && tile.layer >= (best?.layer ?? 0)) best = tile;
  }
  return best;
}

/** As many kinds for that many tiles, each for a multiple of three, by chance; what is left over is of the last one.
 *  @param {number} tiles @param {number} kinds */
export function dealtKinds(tiles, kinds) {
  const most = Math.max(1, Math.min(kinds, Math.floor(tiles / 3)));
  const dealt = Array.from({ length: tiles }, (_, index) => (index < tiles - (tiles % 3) ? Math.floor(index / 3) % most : most - 1));
  for (let last = tiles - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [dealt[last], dealt[other]] = [dealt[other], dealt[last]];
  }
  return dealt;
}
