// The race: three boards of rotate in ten minutes, as in the contest of 2009. Each board is a game of its own; of
// each the best position counts: the most cells in largest clusters, then the fewest turns. It survives a reload
// in the same tab; the best races are remembered by the browser.

import { emit, on } from "/static/base/bus.js";
import { sure } from "/static/base/dom.js";
import { game, send } from "/static/desk/game.js";
import { recall, recallHereObject, remember, rememberHere } from "/static/base/storage.js";
/** @import { Observation } from "./views.js" */

export const BOARDS = [{ side: 10, colours: 4 }, { side: 12, colours: 5 }, { side: 14, colours: 6 }];
export const MINUTES = 10;
const LASTS = MINUTES * 60_000;
const KEY = "rotate.race";
const BEST_KEY = "rotate.races";
export const MOST_KEPT = 5;

/**
 * Times in milliseconds, `ended` null while it runs.
 * @typedef {{ score: number, turns: number }} Ranked
 * @typedef {Ranked & { excess: number }} Best
 * @typedef {{ session: string | null, ply: number, best: Best | null }} RaceBoard
 * @typedef {{ seed: number, began: number, ended: number | null, helped: boolean, boards: RaceBoard[] }} Race
 * @typedef {ReturnType<typeof total>} Total
 */

/** @type {Race | null} */
let race = restored();
/** The board whose game has been asked for. @type {number | null} */
let wanted = null;

/** @returns {Race | null} */
function restored() {
  const { boards } = recallHereObject(KEY);
  return Array.isArray(boards) && boards.length === BOARDS.length ? /** @type {Race} */ (recallHereObject(KEY)) : null;
}

function changed() {
  rememberHere(KEY, JSON.stringify(race));
  emit("race");
}

export const currentRace = () => race;
export const running = () => race !== null && race.ended === null;

/** Milliseconds. */
export function timeLeft() {
  return race === null ? LASTS : Math.max(0, race.began + LASTS - (race.ended ?? Date.now()));
}

/** The board of the race that is being played; -1 when it is another game. */
export function playedBoard() {
  return race?.boards.findIndex(({ session }) => session !== null && session === game.state?.session) ?? -1;
}

/** @param {number} seed */
export function startRace(seed) {
  race = { seed, began: Date.now(), ended: null, helped: false, boards: BOARDS.map(() => ({ session: null, ply: 0, best: null })) };
  changed();
  goToBoard(0);
}

/** @param {number} index */
export function goToBoard(index) {
  const { session, ply } = sure(race).boards[index];
  if (session !== null && session === game.state?.session) return;
  // The server forgets games that nobody has touched.
  if (session !== null && ply > 0) open(index, session);
  else make(index);
}

/** @param {number} index @param {string} session */
function open(index, session) {
  wanted = index;
  send({ type: "open", session });
}

/** @param {number} index */
function make(index) {
  const { side, colours } = BOARDS[index];
  wanted = index;
  send({ type: "new", level: `rotate:rows=${side},columns=${side},colours=${colours}#${sure(race).seed}`, game: "rotate" });
}

export function endRace() {
  if (!race || !running()) return;
  race.ended = Math.min(Date.now(), race.began + LASTS);
  if (total().turns > 0) keep(total());
  changed();
}

export function leaveRace() {
  race = null;
  changed();
}

/** Whether one result ranks before another. @param {Ranked} one @param {Ranked} other */
export function better(one, other) {
  return one.score > other.score || (one.score === other.score && one.turns < other.turns);
}

/** What all boards came to. */
export function total() {
  const { seed, began, helped, boards } = sure(race);
  const best = boards.map((board) => board.best).filter((one) => one !== null);
  /** @param {(best: Best) => number} of */
  const sum = (of) => best.reduce((all, one) => all + of(one), 0);
  return { seed, began, helped, score: sum((one) => one.score), turns: sum((one) => one.turns), finished: sum((one) => Number(one.excess === 0)), seconds: Math.round((LASTS - timeLeft()) / 1000) };
}

/** The best races of this browser, the best first. @returns {Total[]} */
export function bestRaces() {
  try {
    const kept = JSON.parse(recall(BEST_KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => Number.isFinite(one?.score)) : [];
  } catch {
    return [];
  }
}

/** @param {Total} result */
function keep(result) {
  const all = [...bestRaces(), result].sort((one, other) => (better(one, other) ? -1 : better(other, one) ? 1 : one.seconds - other.seconds));
  remember(BEST_KEY, JSON.stringify(all.slice(0, MOST_KEPT)));
}

on("state", ({ session, game: name, ply, view }) => {
  if (race === null) return;
  if (wanted !== null && name === "rotate") race.boards[wanted].session = session;
  wanted = null;
  const board = race.boards.find((one) => one.session === session);
  if (board && running() && timeLeft() > 0) {
    board.ply = ply;
    // A board that was only looked at counts no more than one that was not.
    if (ply === 0) return changed();
    const { score, excess } = /** @type {Observation} */ (view);
    const result = { score, turns: ply, excess };
    if (board.best === null || better(result, board.best)) board.best = result;
  }
  changed();
});

on("error", ({ request }) => {
  const index = wanted;
  wanted = null;
  // Its game is gone from the server: it begins anew, and what was reached counts on.
  if (request === "open" && index !== null && running()) make(index);
});

on("helped", () => {
  if (!race || !running() || race.helped || playedBoard() < 0) return;
  race.helped = true;
  changed();
});
