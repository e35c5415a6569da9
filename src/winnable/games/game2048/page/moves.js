// The four moves of 2048.

/** @import { Translate } from "/static/boards/board.js" */

/** Their names, in the order of their actions. */
export const MOVES = ["up", "right", "down", "left"];
const SIGNS = ["↑", "→", "↓", "←"];
const STEPS = [[0, -1], [1, 0], [0, 1], [-1, 0]];

/** Of a step of the arrow keys. @param {number} dx @param {number} dy */
export function actionOf(dx, dy) {
  return STEPS.findIndex(([x, y]) => x === dx && y === dy);
}

/** A move by its name, in the person's language. @param {Translate} t @param {string} name */
export function moveWords(t, name) {
  return `${SIGNS[MOVES.indexOf(name)]} ${t(`2048.move.${name}`)}`;
}
