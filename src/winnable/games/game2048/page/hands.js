// Swipes over the board of 2048, by finger or mouse.

import { hold } from "/static/base/browser.js";

/** Pixels until a swipe counts, and how many times as far it must go along one axis as along the other. */
const FAR = 24;
const CLEAR = 1.3;

/** step(dx, dy): like an arrow key. One swipe is one move, made as soon as its direction is clear.
 *  @param {HTMLElement} element @param {(dx: number, dy: number) => void} step */
export function listenToSwipes(element, step) {
  /** @type {{ x: number, y: number } | null} */
  let from = null;

  element.addEventListener("pointerdown", (event) => {
    // A second finger means something else, and so does another button.
    from = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
    if (from) hold(element, event);
  });
  element.addEventListener("pointermove", (event) => {
    if (!from) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    const [near, far] = [Math.abs(dx), Math.abs(dy)].sort((a, b) => a - b);
    if (far < FAR || far < near * CLEAR) return;
    from = null;
    if (Math.abs(dx) === far) step(Math.sign(dx), 0);
    else step(0, Math.sign(dy));
  });
  for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => (from = null));
}
