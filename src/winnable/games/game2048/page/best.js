// The best score of each kind of level; the browser alone knows it. A kind is all that a level's code says but the dice:
// size, goal, fours, and the board at the start. Games in which a player was asked to play do not count.

import { on } from "/static/base/bus.js";
import { game } from "/static/desk/game.js";
import { recallObject, remember } from "/static/base/storage.js";
/** @import { State } from "/static/base/messages.js" */

const BEST = "2048.best";
const PLAYED_FOR = "2048.played-for";
const MOST_KEPT = 100;

/** The level's code without its dice. @param {string} code */
export function kindOf(code) {
  return code.replace(/,dice=\d+$/, "");
}

/** @param {string} code */
export function bestScore(code) {
  return Number(recallObject(BEST)[kindOf(code)]) || 0;
}

/** Of the game on the board. @param {State} state @param {number} score */
export function keepScore({ session, code }, score) {
  if (score > bestScore(code) && !recallObject(PLAYED_FOR)[session]) put(BEST, kindOf(code), score);
}

/** The oldest are forgotten. @param {string} name @param {string} key @param {number | boolean} value */
function put(name, key, value) {
  const { [key]: _, ...others } = recallObject(name);
  const kept = Object.entries(others).slice(1 - MOST_KEPT);
  remember(name, JSON.stringify(Object.fromEntries([...kept, [key, value]])));
}

on("sent", ({ type }) => type === "step" && game.state?.game === "2048" && put(PLAYED_FOR, game.state.session, true));
