// Checks the certificate of a level by the rules alone, as docs/certificates.md tells them.
/** @typedef {{verdict: "holds" | "fails" | "unchecked", reason: string}} Result */
/** Takes a value out of a document. @template T @typedef {(value: unknown, field: string) => T} Reader */
/** A level being played; each action costs 1. `act` and `walk` end the check where something is wrong.
 * @typedef {{isWon(): boolean, act(action: number): unknown, walk?(claim: ClosedSet): void}} Play */
/** @typedef {ReturnType<typeof CLOSED_SET>} ClosedSet */
class Fault extends Error {}
/** Ends the check. @type {(reason: string) => never} */
const fail = (reason) => { throw new Fault(reason); };
/** @template T @param {(value: any) => boolean} fits @param {string} what @returns {Reader<T>} */
const thing = (fits, what) => (value, field) =>
  fits(value) ? /** @type {T} */ (value) : fail(`${field}: must be ${what}`);
/** @type {(from: number, to: number) => Reader<number>} */
const whole = (from, to) => thing((n) => Number.isInteger(n) && from <= n && n <= to, `in ${from}..${to}`);
/** @type {(pattern: RegExp) => Reader<string>} */
const text = (pattern) => thing((one) => typeof one === "string" && pattern.test(one), `like ${pattern}`);
/** @type {Reader<Record<string, unknown>>} */
const object = thing((one) => typeof one === "object" && one && !Array.isArray(one), "an object");
/** Whether UTF-8 and doubles say it, in 99 levels. @type {(value: any, depth?: number) => boolean} */
const isSaid = (value, depth = 0) => (typeof value === "object" && value
  ? depth < 99 && Object.entries(value).flat().every((one) => isSaid(one, depth + 1))
  : !/\p{Cs}/u.test(value) && value !== Infinity && value !== -Infinity);
/** @template T @param {Reader<T>} reader @param {number} least @param {number} most @returns {Reader<T[]>} */
const list = (reader, least, most) => (value, field) => {
  const isList = Array.isArray(value) && least <= value.length && value.length <= most;
  if (!isList) fail(`${field}: must be a list of ${least} to ${most}`);
  return value.map((item, index) => reader(item, `${field}[${index}]`));
};
/** @template {Record<string, Reader<any>>} R @param {R} of
 * @returns {Reader<{[K in keyof R]: ReturnType<R[K]>}>} */
const record = (of) => (value, field) => {
  const given = object(value, field), unknown = Object.keys(given).find((name) => !Object.hasOwn(of, name));
  if (unknown !== undefined) fail(`${field}.${unknown}: is not known`);
  return Object.assign({}, ...Object.keys(of).map((n) => ({ [n]: of[n](given[n], `${field}.${n}`) })));
};
/** What may be left out, or null where that says as much.
 * @template T, U @param {Reader<T>} reader @param {U} unsaid @returns {Reader<T | U>} */
const optional = (reader, unsaid) => (value, field) =>
  value === undefined || (value === null && unsaid === null) ? unsaid : reader(value, field);
const count = whole(0, 2 ** 53), seed = whole(0, 2 ** 53 - 1), words = text(/^\P{Cs}{0,200}$/u);
const counts = optional(count, null), place = whole(0, 1e5), uses = optional(whole(0, 1000), 1);
const truth = optional(thing((one) => typeof one === "boolean", "true or false"), false);
const unsaid = optional(words, ""), most = optional(whole(0, 1e6), null), round = optional(whole(1, 1e6), 1);
const reading = text(/^(forward|backward)$/), kinds = optional(list(count, 0, 1000), []);
const CLOSED_SET = record({ reading, positions: whole(1, 3e7), kinds });
const CERTIFICATE = optional(record({ solver: words, version: words, status: text(/^(solved|unsolvable)$/),
  actions: optional(list(count, 0, 1e6), []), cost: counts, lower_bound: counts,
  closed_set: optional(CLOSED_SET, null) }), null);
const PROVENANCE = optional(record({ generator: words, version: words, seed: count, request: unsaid,
  params: thing((one) => isSaid(object(one, "level.provenance.params")), "what UTF-8 can say") }), null);
const ANY = { format: words, title: optional(record({ en: unsaid, "zh-CN": unsaid }), {}),
  certificate: CERTIFICATE, provenance: PROVENANCE, $schema: optional(text(/^\P{Cs}{0,2000}$/u), null) };
const DROPS = record({ ...ANY, board: list(text(/^[0-4]{1,32}$/), 1, 32), drops: most, open: truth,
  rules: optional(text(/^(classic|snappers|symmetric|half)$/), "classic"),
  every: optional(whole(1, 1000), null), flash: optional(record({ series: seed, round }), null) });
const ROTATE = record({ ...ANY, board: list(list(whole(0, 2047), 2, 64), 2, 64), turns: most,
  rules: optional(text(/^(clusters|pairs)$/), "clusters") });
const TILE = record({ kind: whole(0, 63), x: place, y: place, layer: place, hidden: truth });
const TOOLS = optional(record({ undo: uses, move_out: uses, shuffle: uses, seed: optional(seed, 0) }), null);
const TRIPLE = record({ ...ANY, tiles: list(TILE, 3, 1e5), slots: optional(whole(1, 1e4), 7), tools: TOOLS });
/** How often each is there. @type {(values: number[]) => Map<number, number>} */
const counted = (values) =>
  values.reduce((counts, value) => counts.set(value, (counts.get(value) ?? 0) + 1), new Map());
/** All cells, and a -1 behind each row, for what is beside it. @type {(board: number[][]) => number[]} */
const bordered = (board) => board.flatMap((row, at) =>
  row.length === board[0].length ? [...row, -1] : fail(`level.board[${at}]: must be as wide as the first`));
/** Ticks to the next cell and to each further one, the order of a burst's droplets, and whether what bursts
 * swallows what reaches it in the same tick. @type {Record<string, [number, number, string, boolean]>} */
const RULE_SETS = { classic: [0, 1, "DURL", false], snappers: [1, 1, "URDL", false],
  symmetric: [1, 1, "URDL", true], half: [1, 2, "URLD", false] };
/** @param {unknown} document @returns {Play} */
function drops(document) {
  const { board, rules, drops, every, open, flash } = DROPS(document, "level"), columns = board[0].length;
  const cells = bordered(board.map((row) => Array.from(row, Number))), isWon = () => Math.max(...cells) <= 0;
  if (isWon()) fail("level.board: must not be empty");
  if (every && (drops === null || flash)) fail("level.every: must go with drops and without flash");
  const [first, further, order, absorbs] = RULE_SETS[rules], price = flash ? 3 : every ?? Infinity;
  const steps = /** @type {Record<string, number>} */ ({ U: -columns - 1, R: 1, D: columns + 1, L: -1 });
  let left = drops ?? (flash ? 10 : Infinity), gathered = 0;
  /** Adds a drop, and lets fly what flies. Returns the number of bursts. @param {number} clicked */
  function chain(clicked) {
    const burstAt = new Map();
    let flying = [{ cell: clicked, step: 0, due: 0 }], bursts = 0;
    while (flying.length) {
      const now = Math.min(...flying.map(({ due }) => due)), newborn = /** @type {typeof flying} */ ([]);
      flying = flying.filter((droplet) => {
        if (droplet.due > now) return true;
        const cell = (droplet.cell += droplet.step), there = cells[cell] ?? -1;
        droplet.due = now + further;
        if (there === 0 && droplet.step) return !(absorbs && burstAt.get(cell) === now);
        if (there >= 0) cells[cell] = (there + 1) % 5;
        if (there === 4) burstAt.set(cell, now);
        for (const to of there === 4 ? order : "") newborn.push({ cell, step: steps[to], due: now + first });
        return false;
      }).concat(newborn);
      bursts += newborn.length / 4;
    }
    return bursts;
  }
  return { isWon, act: (action) => {
    const cell = action + Math.floor(action / columns), isThere = action < columns * board.length;
    if (!isThere || isWon() || left === 0 || !(cells[cell] || open)) fail(`actions: ${action} is no click`);
    const bursts = chain(cell) + gathered;
    left += Math.floor(bursts / price) - 1;
    gathered = flash ? 0 : bursts % price;
  } };
}

/** @param {unknown} document @returns {Play} */
function rotate(document) {
  const { board, rules, turns } = ROTATE(document, "level"), isPairs = rules === "pairs";
  const cells = bordered(board), rows = board.length, columns = board[0].length, width = columns + 1;
  const colours = counted(board.flat()), ways = isPairs ? 1 : 3, blocks = /** @type {number[][]} */ ([]);
  if (colours.size < 2 || (!isPairs && colours.size > 26)) fail("level.board: must have 2 to 26 colours");
  if (isPairs) colours.forEach((many, label) => many === 2 || fail(`level.board: must have ${label} twice`));
  for (let side = 2; side <= Math.min(rows, columns); side += isPairs ? 1 : 2)
    for (let top = 0; top <= rows - side; top += 1)
      for (let column = 0; column <= columns - side; column += 1) blocks.push([top * width + column, side]);
  let left = turns ?? Infinity;
  const isWon = () => [...colours].every(([colour, many]) => {
    const cluster = new Set([cells.indexOf(colour)]);
    for (const cell of cluster) [cell - 1, cell + 1, cell - width, cell + width]
      .forEach((near) => cells[near] === colour && cluster.add(near));
    return cluster.size === many;
  });
  return { isWon, act: (action) => {
    if (isWon() || left-- === 0) fail(`actions: ${action} comes after the end`);
    const [corner, side] = blocks[Math.floor(action / ways)] ?? fail(`actions: ${action} is no turn`);
    for (let quarter = 0; quarter <= action % ways; quarter += 1) {
      const before = cells.slice();
      for (let row = 0; row < side; row += 1)
        for (let column = 0; column < side; column += 1)
          cells[corner + row * width + column] = before[corner + (side - 1 - column) * width + row];
    }
  } };
}

/** Of each tile those directly on it, by the units they share. @param {ReturnType<typeof TILE>[]} tiles */
function coversOf(tiles) {
  const lowest = /** @type {Map<number, number>[]} */ ([]), covers = tiles.map(() => new Set([-1]));
  for (const tile of [...tiles.keys()].sort((a, b) => tiles[b].layer - tiles[a].layer))
    for (let unit = 0; unit < 64; unit += 1) {
      const { x, y, layer } = tiles[tile], row = y + (unit >> 3);
      const column = (lowest[x + (unit % 8)] ??= new Map()), above = column.get(row) ?? -1;
      if (tiles[above]?.layer === layer) fail(`level.tiles[${tile}]: overlaps tile ${above}`);
      column.set(row, tile);
      covers[tile].add(above);
    }
  return covers.map((above) => [...above].slice(1));
}
/** @param {unknown} document @returns {Play} */
function triple(document) {
  const { tiles, slots, tools } = TRIPLE(document, "level"), kinds = tiles.map(({ kind }) => kind);
  const picked = kinds.map(() => false), all = [...kinds.keys()], covers = coversOf(tiles);
  counted(kinds).forEach((many, kind) => many % 3 && fail(`level.tiles: must have kind ${kind} by threes`));
  const left = tools ? [tools.undo, tools.move_out, tools.shuffle] : [0, 0, 0];
  let tray = /** @type {number[]} */ ([]), aside = /** @type {number[]} */ ([]), last = -1;
  /** @param {number} tile */
  function pick(tile) {
    const isAside = aside.includes(tile), isAlike = (/** @type {number} */ one) => kinds[one] === kinds[tile];
    const isFree = isAside || (!picked[tile] && covers[tile].every((above) => picked[above]));
    picked[isFree ? tile : fail(`actions: ${tile} is not free`)] = true;
    aside = aside.filter((other) => other !== tile);
    last = isAside ? -1 : tile;
    tray.splice(tray.findLastIndex(isAlike) + 1 || tray.length, 0, tile);
    if (tray.filter(isAlike).length === 3) tray = tray.filter((other) => !isAlike(other));
  }
  function undo() {
    picked[tray.includes(last) ? last : fail("actions: there is nothing to undo")] = false;
    tray = tray.filter((tile) => tile !== last);
  }
  const moveOut = () => (tray.length ? aside.push(...tray.splice(0, 3)) : fail("actions: the tray is empty"));
  async function shuffle() {
    const there = all.filter((tile) => !picked[tile]), bits = picked.map(Number).reverse().join("");
    if (there.length < 2) fail("actions: there is nothing to shuffle");
    const key = `${tools?.seed}/${left[2]}/${BigInt(`0b${bits}`).toString(16)}`;
    const dealt = await Promise.all(there.map(async (tile, index) => {
      const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${key}/${index}`));
      return { kind: kinds[tile], hash: String.fromCharCode(...new Uint8Array(hash)) };
    }));
    dealt.sort((a, b) => (a.hash < b.hash ? -1 : 1)).forEach(({ kind }, at) => (kinds[there[at]] = kind));
  }
  /** Visits all positions that follow; 16 tiles are a character of one. @param {ClosedSet} claim */
  function walk({ positions, reading, kinds: given }) {
    const widest = Math.floor(2e7 / Math.ceil(all.length / 64)), isBackward = reading === "backward";
    if (tools || all.length > 4096) fail("closed_set: is for up to 4096 tiles and no tools");
    given.forEach((kind) => kinds.includes(kind) || fail(`closed_set.kinds: ${kind} is not there`));
    const isPart = (/** @type {number} */ one) => !given.length || given.some((kind) => kind === kinds[one]);
    const ahead = isBackward ? all.map((tile) => all.filter((one) => covers[one].includes(tile))) : covers;
    const before = all.map((tile) => {
      const met = new Set(ahead[tile]);
      for (const other of met) if (!isPart(other)) ahead[other].forEach((next) => met.add(next));
      return [...met].filter(isPart);
    });
    const part = all.filter(isPart), held = isBackward ? [0, 2, 1] : [0, 1, 2], many = new Uint16Array(64);
    const done = Array(Math.ceil(all.length / 16)).fill(0), code = () => String.fromCharCode(...done);
    const isDone = (/** @type {number} */ tile) => (done[tile >> 4] >> (tile % 16)) & 1;
    let here = new Set([code()]), after = here, found = 1;
    for (let depth = 0; here.size; depth += 1, here = after, found += here.size) {
      if (depth === part.length) fail(`closed_set: leads to the ${isBackward ? "start" : "empty board"}`);
      after = new Set();
      for (const position of here) {
        for (let at = 0; at < done.length; at += 1) done[at] = position.charCodeAt(at);
        many.fill(0);
        for (const tile of part) many[kinds[tile]] += isDone(tile);
        const full = many.reduce((tray, number) => tray + held[number % 3], 0) - slots;
        for (const tile of part) {
          const number = many[kinds[tile]] % 3, more = held[(number + 1) % 3] - held[number];
          if (isDone(tile) || full + more >= 0 || !before[tile].every(isDone)) continue;
          done[tile >> 4] ^= 1 << (tile % 16);
          after.add(code());
          done[tile >> 4] ^= 1 << (tile % 16);
        }
        if (after.size > Math.min(positions - found, widest)) fail("closed_set.positions: there are more");
      }
    }
    if (found < positions) fail(`closed_set.positions: there are ${found}`);
  }
  return { isWon: () => picked.every(Boolean) && !tray.length && !aside.length, walk, act: (action) => {
    const tool = action - all.length;
    if (tray.length >= slots) fail(`actions: ${action} comes after the tray is full`);
    if (tool >= 0 && !(left[tool]-- > 0)) fail(`actions: ${action} is no tile, and no tool that is left`);
    return tool < 0 ? pick(action) : [undo, moveOut, shuffle][tool]();
  } };
}
const GAMES = new Map([["winnable.drops/1", drops], ["winnable.rotate/1", rotate],
  ["winnable.triple/1", triple]]);
/** @param {unknown} document a level as JSON.parse reads it @returns {Promise<Result>} */
export async function check(document) {
  try {
    const level = object(document, "level"), begin = GAMES.get(text(/^/)(level.format, "level.format"));
    if (!begin) return { verdict: "unchecked", reason: "level.format: is not known here" };
    const { isWon, act, walk } = begin(document), claim = CERTIFICATE(level.certificate, "level.certificate");
    if (!claim) return { verdict: "unchecked", reason: "certificate: there is none" };
    const { status, actions, cost, lower_bound: bound, closed_set: set } = claim, length = actions.length;
    if (status === "unsolvable") {
      if (!set) return { verdict: "unchecked", reason: "closed_set: there is none" };
      (walk ?? fail("closed_set: proves nothing in this game"))(set);
      return { verdict: "holds", reason: `no action leaves ${set.positions} positions` };
    }
    for (const action of actions) await act(action);
    if (!isWon()) fail("actions: do not reach the goal");
    if (cost !== null && cost !== length) fail(`cost: is ${length}`);
    if (bound !== null && bound > length) fail(`lower_bound: is more than the line costs, ${length}`);
    return { verdict: "holds", reason: `${length} actions reach the goal` };
  } catch (fault) {
    if (fault instanceof Fault) return { verdict: "fails", reason: fault.message };
    throw fault;
  }
}
