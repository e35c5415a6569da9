// Checks the certificate of a level of winnable by the rules alone. docs/certificates.md tells these rules,
// what a certificate claims, and what a checker must refuse.

/** @typedef {{verdict: "holds" | "fails" | "unchecked", reason: string}} Result */
/** Takes a value out of a document. @template T @typedef {(value: unknown, field: string) => T} Reader */
/** A level being played; each action costs 1. `act` and `walk` end the check where something is wrong.
 * @typedef {{certificate: ReturnType<typeof CERTIFICATE>, isWon: () => boolean, act: (action: number) => unknown,
 *    walk?: (claim: ReturnType<typeof CLOSED_SET>) => void}} Play */
class Fault extends Error {}
/** Ends the check. @param {string} reason @returns {never} */
function fail(reason) {
  throw new Fault(reason);
}

/** @template T @param {(value: any) => boolean} fits @param {string} what @returns {Reader<T>} */
const thing = (fits, what) => (value, field) =>
  fits(value) ? /** @type {T} */ (value) : fail(`${field}: must be ${what}`);
/** @type {(low: number, high: number) => Reader<number>} */
const whole = (low, high) =>
  thing((value) => Number.isInteger(value) && low <= value && value <= high, `whole, from ${low} to ${high}`);
/** @type {(pattern: RegExp) => Reader<string>} */
const text = (pattern) => thing((value) => typeof value === "string" && pattern.test(value), `like ${pattern}`);
/** @template {string | boolean} T @param {T[]} values @returns {Reader<T>} */
const oneOf = (...values) => thing((value) => values.includes(value), `one of ${values.join(", ")}`);
/** @type {Reader<Record<string, unknown>>} */
const object = thing((value) => typeof value === "object" && value && !Array.isArray(value), "an object");
/** @template T @param {Reader<T>} reader @param {number} least @param {number} most @returns {Reader<T[]>} */
const list = (reader, least, most) => (value, field) => {
  const isList = Array.isArray(value) && least <= value.length && value.length <= most;
  if (!isList) fail(`${field}: must be a list of ${least} to ${most}`);
  return value.map((item, index) => reader(item, `${field}[${index}]`));
};
/** @template {Record<string, Reader<any>>} R @param {R} readers
 * @returns {Reader<{[K in keyof R]: ReturnType<R[K]>}>} */
const record = (readers) => (value, field) => {
  const given = object(value, field), known = Object.entries(readers);
  for (const name of Object.keys(given)) if (!Object.hasOwn(readers, name)) fail(`${field}.${name}: is unknown`);
  const read = known.map(([name, reader]) => ({ [name]: reader(given[name], `${field}.${name}`) }));
  return Object.assign({}, ...read);
};
/** May be left out, or null where that says the same. @template T @template const U
 * @param {Reader<T>} reader @param {U} unsaid @returns {Reader<T | U>} */
const optional = (reader, unsaid) => (value, field) =>
  value === undefined || (value === null && unsaid === null) ? unsaid : reader(value, field);

const count = whole(0, 2 ** 53), seed = whole(0, 2 ** 53 - 1), name = text(/^\P{Cs}{0,200}$/u);
const truth = optional(oneOf(true, false), false), unsaid = optional(name, "");
const counts = (/** @type {number} */ most) => optional(list(count, 0, most), []);
const CLOSED_SET = record({ reading: oneOf("forward", "backward"), positions: whole(1, 1e7), kinds: counts(1000) });
const CERTIFICATE = optional(record({
  status: oneOf("solved", "unsolvable"), solver: name, version: name, actions: counts(1e6),
  cost: optional(count, null), lower_bound: optional(count, null), closed_set: optional(CLOSED_SET, null),
}), null);
const PROVENANCE = record({ generator: name, version: name, params: object, seed: count, request: unsaid });
const OF_ALL = {
  format: name, $schema: optional(text(/^\P{Cs}{0,2000}$/u), null), provenance: optional(PROVENANCE, null),
  title: optional(record({ en: unsaid, "zh-CN": unsaid }), {}), certificate: CERTIFICATE,
};
const FLASH = record({ series: seed, round: optional(whole(1, 1e6), 1) });
const DROPS = record({
  ...OF_ALL, board: list(text(/^[0-4]{1,32}$/), 1, 32), drops: optional(whole(0, 1e6), null), open: truth,
  rules: optional(oneOf("classic", "snappers", "symmetric", "half"), "classic"),
  every: optional(whole(1, 1000), null), flash: optional(FLASH, null),
});
const ROTATE = record({
  ...OF_ALL, board: list(list(whole(0, 2047), 2, 64), 2, 64), turns: optional(whole(0, 1e6), null),
  rules: optional(oneOf("clusters", "pairs"), "clusters"),
});
const place = whole(0, 1e5), uses = optional(whole(0, 1000), 1);
const TILE = record({ kind: whole(0, 63), x: place, y: place, layer: place, hidden: truth });
const TOOLS = record({ undo: uses, move_out: uses, shuffle: uses, seed: optional(seed, 0) });
const TRIPLE = record({
  ...OF_ALL, tiles: list(TILE, 3, 1e5), slots: optional(whole(1, 1e4), 7), tools: optional(TOOLS, null),
});

/** How often each is there. @param {number[]} values */
function counted(values) {
  const counts = /** @type {Map<number, number>} */ (new Map());
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
/** All cells, and a -1 behind each row, which stands for all that lies beside it. @param {number[][]} board */
function bordered(board) {
  const odd = board.findIndex((row) => row.length !== board[0].length);
  if (odd > 0) fail(`level.board[${odd}]: must be as wide as the first row`);
  return board.flatMap((row) => [...row, -1]);
}

/** Ticks to the next cell and to each further one, the order of a burst's droplets, and whether a cell that
 * bursts swallows what reaches it in the same tick. */
const RULE_SETS = {
  classic: { first: 0, further: 1, order: "DURL", absorbs: false },
  snappers: { first: 1, further: 1, order: "URDL", absorbs: false },
  symmetric: { first: 1, further: 1, order: "URDL", absorbs: true },
  half: { first: 1, further: 2, order: "URLD", absorbs: false },
};
/** @param {unknown} document @returns {Play} */
function drops(document) {
  const { certificate, board, rules, drops, every, open, flash } = DROPS(document, "level");
  const cells = bordered(board.map((row) => Array.from(row, Number))), columns = board[0].length;
  const isWon = () => !cells.some((drops) => drops > 0);
  if (isWon()) fail("level.board: must not be empty");
  if (every && (drops === null || flash)) fail("level.every: must go with drops and without flash");
  const { first, further, order, absorbs } = RULE_SETS[rules], price = flash ? 3 : every ?? Infinity;
  const steps = new Map([["U", -columns - 1], ["R", 1], ["D", columns + 1], ["L", -1]]);
  let left = drops ?? (flash ? 10 : Infinity), gathered = 0;

  /** Adds a drop, and lets fly what flies. Returns the number of bursts. @param {number} clicked */
  function chain(clicked) {
    let flying = [{ cell: clicked, step: 0, due: 0 }], now = 0, bursts = 0;
    const burst = new Set();
    while (flying.length) {
      const next = Math.min(...flying.map(({ due }) => due)), newborn = /** @type {typeof flying} */ ([]);
      if (next > now) burst.clear();
      now = next;
      const rest = flying.filter((droplet) => {
        if (droplet.due > now) return true;
        const cell = (droplet.cell += droplet.step), there = cells[cell] ?? -1;
        droplet.due = now + further;
        if (there === 0 && droplet.step) return !(absorbs && burst.has(cell));
        if (there >= 0) cells[cell] = (there + 1) % 5;
        if (there < 4) return false;
        bursts += 1;
        burst.add(cell);
        for (const way of order) newborn.push({ cell, step: steps.get(way) ?? 0, due: now + first });
        return false;
      });
      flying = [...rest, ...newborn];
    }
    return bursts;
  }
  return { certificate, isWon, act: (action) => {
    const cell = action + Math.floor(action / columns), isThere = action < columns * board.length;
    if (!isThere || isWon() || left === 0 || !(cells[cell] || open)) fail("cannot be clicked");
    const bursts = chain(cell) + gathered;
    left += Math.floor(bursts / price) - 1 + Number(flash !== null && isWon());
    gathered = flash ? 0 : bursts % price;
  } };
}

/** @param {unknown} document @returns {Play} */
function rotate(document) {
  const { certificate, board, rules, turns } = ROTATE(document, "level"), isPairs = rules === "pairs";
  const cells = bordered(board), rows = board.length, columns = board[0].length, width = columns + 1;
  const colours = counted(board.flat()), ways = isPairs ? 1 : 3, blocks = /** @type {number[][]} */ ([]);
  if (colours.size < 2 || (!isPairs && colours.size > 26)) fail("level.board: must have 2 to 26 colours");
  if (isPairs) colours.forEach((many, label) => many === 2 || fail(`level.board: must have ${label} twice`));
  for (let side = 2; side <= Math.min(rows, columns); side += isPairs ? 1 : 2)
    for (let top = 0; top <= rows - side; top += 1)
      for (let column = 0; column <= columns - side; column += 1) blocks.push([top * width + column, side]);
  let left = turns ?? Infinity;

  /** Whether each colour is one cluster. */
  const isWon = () => [...colours].every(([colour, many]) => {
    const cluster = new Set([cells.indexOf(colour)]);
    for (const cell of cluster)
      for (const near of [cell - 1, cell + 1, cell - width, cell + width])
        if (cells[near] === colour) cluster.add(near);
    return cluster.size === many;
  });
  return { certificate, isWon, act: (action) => {
    if (isWon() || left === 0) fail("comes after the end");
    const [corner, side] = blocks[Math.floor(action / ways)] ?? fail("is no turn of this board");
    for (let quarter = 0; quarter <= action % ways; quarter += 1) {
      const before = cells.slice();
      for (let row = 0; row < side; row += 1)
        for (let column = 0; column < side; column += 1)
          cells[corner + row * width + column] = before[corner + (side - 1 - column) * width + row];
    }
    left -= 1;
  } };
}

/** Of each tile those directly on it, by the units that they share. @param {ReturnType<typeof TILE>[]} tiles */
function coversOf(tiles) {
  const lowest = /** @type {Map<number, number>} */ (new Map());
  const covers = tiles.map(() => /** @type {Set<number>} */ (new Set()));
  for (const tile of [...tiles.keys()].sort((a, b) => tiles[b].layer - tiles[a].layer))
    for (let unit = 0; unit < 64; unit += 1) {
      const at = (tiles[tile].x + (unit % 8)) * 2e5 + tiles[tile].y + (unit >> 3), above = lowest.get(at) ?? -1;
      if (tiles[above]?.layer === tiles[tile].layer) fail(`level.tiles[${tile}]: overlaps tile ${above}`);
      if (above >= 0) covers[tile].add(above);
      lowest.set(at, tile);
    }
  return covers.map((above) => [...above]);
}
/** @param {unknown} document @returns {Play} */
function triple(document) {
  const { certificate, tiles, slots, tools } = TRIPLE(document, "level"), covers = coversOf(tiles);
  const kinds = tiles.map(({ kind }) => kind), picked = kinds.map(() => false);
  counted(kinds).forEach((many, kind) => many % 3 && fail(`level.tiles: must have kind ${kind} by threes`));
  const left = tools ? [tools.undo, tools.move_out, tools.shuffle] : [0, 0, 0];
  let tray = /** @type {number[]} */ ([]), aside = /** @type {number[]} */ ([]), last = -1;

  /** @param {number} tile */
  function pick(tile) {
    const isAside = aside.includes(tile), isAlike = (/** @type {number} */ other) => kinds[other] === kinds[tile];
    if (!isAside && (picked[tile] || !covers[tile].every((above) => picked[above]))) fail("is not free");
    picked[tile] = true;
    aside = aside.filter((other) => other !== tile);
    last = isAside ? -1 : tile;
    tray.splice(tray.findLastIndex(isAlike) + 1 || tray.length, 0, tile);
    if (tray.filter(isAlike).length === 3) tray = tray.filter((other) => !isAlike(other));
  }
  function undo() {
    if (!tray.includes(last)) fail("has nothing to undo");
    picked[last] = false;
    tray = tray.filter((tile) => tile !== last);
  }
  const moveOut = () => (tray.length ? aside.push(...tray.splice(0, 3)) : fail("finds the tray empty"));
  async function shuffle() {
    const there = [...kinds.keys()].filter((tile) => !picked[tile]), bits = picked.map(Number).reverse();
    if (there.length < 2) fail("finds nothing to shuffle");
    const key = `${tools?.seed}/${left[2]}/${BigInt(`0b${bits.join("")}`).toString(16)}`;
    const dealt = await Promise.all(there.map(async (tile, index) => {
      const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${key}/${index}`));
      return { kind: kinds[tile], hash: String.fromCharCode(...new Uint8Array(hash)) };
    }));
    dealt.sort((a, b) => (a.hash < b.hash ? -1 : 1)).forEach(({ kind }, index) => (kinds[there[index]] = kind));
  }
  return {
    certificate, isWon: () => picked.every(Boolean) && !tray.length && !aside.length,
    act: (action) => {
      const tool = action - kinds.length;
      if (tray.length >= slots) fail("comes after the tray is full");
      if (tool < 0) return pick(action);
      if (!(left[tool]-- > 0)) fail("is neither a tile nor a tool that is left");
      return [undo, moveOut, shuffle][tool]();
    },
    walk: tools ? undefined : (claim) => walk(claim, tiles, slots, covers),
  };
}

/** Visits all positions that the reading leads to; in one, 16 tiles are a character.
 * @param {ReturnType<typeof CLOSED_SET>} claim @param {ReturnType<typeof TILE>[]} tiles @param {number} slots
 * @param {number[][]} covers */
function walk(claim, tiles, slots, covers) {
  const kinds = new Set(claim.kinds.length ? claim.kinds : tiles.map(({ kind }) => kind));
  const isBackward = claim.reading === "backward", most = Math.floor(2e7 / Math.ceil(tiles.length / 64));
  if (tiles.length > 4096 || claim.positions > most) fail(`closed_set: is larger than ${most}, or has many tiles`);
  kinds.forEach((kind) => tiles.some((tile) => tile.kind === kind) || fail(`closed_set.kinds: lack ${kind}`));
  const before = tiles.map(() => /** @type {Set<number>} */ (new Set()));
  covers.forEach((all, tile) => all.forEach((on) => (isBackward ? before[on].add(tile) : before[tile].add(on))));
  const order = [...tiles.keys()].sort((a, b) => (tiles[b].layer - tiles[a].layer) * (isBackward ? -1 : 1));
  for (const tile of order)
    for (const other of before[tile])
      if (!kinds.has(tiles[other].kind) && before[tile].delete(other))
        before[other].forEach((further) => before[tile].add(further));
  const part = order.filter((tile) => kinds.has(tiles[tile].kind)), done = new Uint16Array(tiles.length / 16 + 1);
  const isDone = (/** @type {number} */ tile) => ((done[tile >> 4] >> (tile % 16)) & 1) === 1;
  const held = isBackward ? [0, 2, 1] : [0, 1, 2], seen = new Set([String.fromCharCode(...done)]);
  for (const position of seen) {
    done.forEach((_, at) => (done[at] = position.charCodeAt(at)));
    const many = counted(part.filter(isDone).map((tile) => tiles[tile].kind));
    const tray = [...many.values()].reduce((sum, number) => sum + held[number % 3], 0);
    if (part.every(isDone)) fail(`closed_set: leads to the ${isBackward ? "start" : "empty board"}`);
    for (const tile of part) {
      const number = many.get(tiles[tile].kind) ?? 0, change = held[(number + 1) % 3] - held[number % 3];
      if (isDone(tile) || tray + change >= slots || ![...before[tile]].every(isDone)) continue;
      done[tile >> 4] ^= 1 << (tile % 16);
      seen.add(String.fromCharCode(...done));
      done[tile >> 4] ^= 1 << (tile % 16);
    }
    if (seen.size > claim.positions) fail("closed_set.positions: there are more");
  }
  if (seen.size < claim.positions) fail(`closed_set.positions: there are ${seen.size}`);
}

/** Nobody wins at them. @param {unknown} document @returns {Play} */
const ofChance = (document) => {
  const certificate = CERTIFICATE(object(document, "level").certificate, "level.certificate");
  return { certificate, isWon: () => false, act: () => {} };
};
const GAMES = new Map([
  ["winnable.drops/1", drops], ["winnable.rotate/1", rotate], ["winnable.triple/1", triple],
  ["winnable.2048/1", ofChance], ["winnable.tetris/1", ofChance],
]);
/** @param {unknown} document @returns {Promise<Result>} */
export async function check(document) {
  try {
    const { format } = object(document, "level"), begin = GAMES.get(name(format, "level.format"));
    if (!begin) return { verdict: "unchecked", reason: `level.format: ${format} is not known here` };
    const { certificate, isWon, act, walk } = begin(document), field = "level.certificate";
    if (!certificate) return { verdict: "unchecked", reason: `${field}: there is none` };
    const { status, actions, cost, lower_bound, closed_set } = certificate;
    if (status === "unsolvable") {
      if (!closed_set) return { verdict: "unchecked", reason: `${field}.closed_set: there is none` };
      if (!walk) fail(`${field}.closed_set: proves nothing in this game`);
      walk(closed_set);
      return { verdict: "holds", reason: `no action leaves ${closed_set.positions} positions` };
    }
    for (const action of actions) await act(action);
    if (!isWon()) fail(`${field}.actions: do not reach the goal`);
    if (cost !== null && cost !== actions.length) fail(`${field}.cost: is ${actions.length}`);
    if (lower_bound !== null && lower_bound > actions.length) fail(`${field}.lower_bound: the line costs less`);
    return { verdict: "holds", reason: `the goal is reached by ${actions.length} actions` };
  } catch (fault) {
    if (fault instanceof Fault) return { verdict: "fails", reason: fault.message };
    throw fault;
  }
}
