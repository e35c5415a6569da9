// How hard levels are for a person, in a word: of the one on the board, and of those to choose from.

import { on } from "../base/bus.js";
import { $, el, setText, show } from "../base/dom.js";
import { game } from "./game.js";
import { t } from "../base/i18n.js";
/** @import { Rated, Rating } from "../base/messages.js" */

/** @param {Rating} rating */
export const ratingWord = ({ word }) => t(`fact.word.${word}`);

/** @param {Rating} rating */
const label = (rating) => t("rating.label", { word: ratingWord(rating) });

/** @param {Rating | null} rating */
export function ratingNode(rating) {
  return rating && el("small", { class: "rating", "data-word": rating.word, "data-testid": "level-rating", title: label(rating) }, ratingWord(rating));
}

function draw() {
  const rating = game.state?.rating;
  const node = $("rating");
  show(node, Boolean(rating));
  if (!rating) return;
  node.dataset.word = rating.word;
  node.title = label(rating);
  setText(node, ratingWord(rating));
}

/** @param {Rated} event */
function onRated({ session, rating }) {
  if (game.state?.session !== session) return;
  game.state.rating = rating;
  draw();
}

export function mountRating() {
  on("rated", onRated);
  on("state language", draw);
}
