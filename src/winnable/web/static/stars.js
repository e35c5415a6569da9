// The best stars of each shipped level; the browser alone knows them.

import { el, icon } from "./dom.js";
import { t } from "./i18n.js";
import { recallObject, remember } from "./settings.js";

export const MOST_STARS = 3;
const KEY = "stars";
/** Names that a level was made easier: that earns none. */
const CHEATED = /\+$/;

/** 0 to 3; undefined when it was never won. */
export function bestStars(level) {
  const stars = recallObject(KEY)[level];
  return Number.isInteger(stars) && stars >= 0 && stars <= MOST_STARS ? stars : undefined;
}

/** Of a shipped level that was won; without a par a win counts as 0 stars, but as a win. */
export function keepStars(level, stars, levels) {
  if (CHEATED.test(level) || !levels.some(({ name }) => name === level)) return;
  const best = Math.max(bestStars(level) ?? 0, stars ?? 0);
  remember(KEY, JSON.stringify({ ...recallObject(KEY), [level]: best }));
}

/** All stars there are, the earned ones first. */
export function starNodes(earned) {
  return Array.from({ length: MOST_STARS }, (_, i) => {
    const star = icon("star");
    star.classList.toggle("earned", i < earned);
    return star;
  });
}

/** A row of stars for `showStars`. */
export function starRow(testid) {
  return el("p", { class: "stars", role: "img", "data-testid": testid });
}

export function showStars(row, earned) {
  row.dataset.stars = earned;
  row.setAttribute("aria-label", t("stars.label", { n: earned }));
  row.replaceChildren(...starNodes(earned));
}
