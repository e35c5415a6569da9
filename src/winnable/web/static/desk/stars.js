// Stars are for what a person did alone: a game that had a hint, a solver, a player or a cheat (the server knows)
// earns none. The best stars of each shipped level; the browser alone knows them.

import { el, icon } from "../base/dom.js";
import { game } from "./game.js";
import { t } from "../base/i18n.js";
import { recallObject, remember } from "../base/storage.js";
/** @import { LevelInfo } from "../base/messages.js" */

export const MOST_STARS = 3;
const KEY = "stars";
/** 0 to 3; undefined when it was never won. @param {string} level */
export function bestStars(level) {
  const stars = recallObject(KEY)[level];
  return typeof stars === "number" && Number.isInteger(stars) && stars >= 0 && stars <= MOST_STARS ? stars : undefined;
}

/** Of a shipped level that was won; without a par, or with help, a win counts as 0 stars, but as a win.
 *  @param {string} level @param {number | null} stars @param {LevelInfo[]} levels */
export function keepStars(level, stars, levels) {
  if (!levels.some(({ name }) => name === level)) return;
  const best = Math.max(bestStars(level) ?? 0, stars ?? 0);
  remember(KEY, JSON.stringify({ ...recallObject(KEY), [level]: best }));
}

/** All stars there are, the earned ones first. @param {number} earned */
export function starNodes(earned) {
  return Array.from({ length: MOST_STARS }, (_, i) => {
    const star = icon("star");
    star.classList.toggle("earned", i < earned);
    return star;
  });
}

/** A row of stars for `showStars`. @param {string} testid */
export function starRow(testid) {
  return el("p", { class: "stars", role: "img", "data-testid": testid });
}

/** @param {HTMLElement} row @param {number} earned */
export function showStars(row, earned) {
  row.dataset.stars = String(earned);
  row.setAttribute("aria-label", t("stars.label", { n: earned }));
  row.replaceChildren(...starNodes(earned));
}

/** The stars that the game on the board may still earn: none after help, or when it is lost.
 *  @param {HTMLElement} row @param {number} reached */
export function showChance(row, reached) {
  showStars(row, game.state?.helped || game.state?.standing === "lost" ? 0 : reached);
}
