// Mouse, finger, wheel and keys on the board of rotate, as calls of the board's own verbs.

import { pointIn } from "/static/base/grid.js";
import { isPlain, keyOf } from "/static/base/keyboard.js";

/** How far the wheel goes, and how far two fingers part, for the next size. */
const WHEEL = 50;
const PINCH = 1.25;
/** Pixels of a line, for mice whose wheel counts lines. */
const LINE = 30;
/** @type {Record<string, number>} */
const TURNS = { e: 1, w: 2, q: 3 };
/** @type {Record<string, number>} */
const SIZES = { "+": 1, "=": 1, "-": -1, _: -1 };

/**
 * x, y: in cells. by: 1 or -1.
 * @typedef {{
 *   view?: unknown, pointAt(x: number, y: number): void, click(): void, turn(quarters: number): void, resize(by: number): void,
 * }} Hands
 */

/** Returns what ends it. @param {SVGSVGElement} svg @param {Hands} board */
export function listenToHands(svg, board) {
  let [finger, rolled] = [false, 0];
  /** @type {number | null} */
  let apart = null;

  /** @param {MouseEvent} event */
  const point = (event) => {
    if (!board.view) return;
    const { x, y } = pointIn(svg, event);
    board.pointAt(x, y);
  };
  /** @param {TouchList} touches */
  const spread = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);

  svg.addEventListener("pointermove", (event) => event.pointerType === "mouse" && point(event));
  svg.addEventListener("pointerdown", (event) => {
    finger = event.pointerType !== "mouse";
    // The middle button would scroll.
    if (event.button === 1) event.preventDefault();
  });
  // A mouse has aimed already; a finger aims, and turns with the buttons under the board.
  svg.addEventListener("click", (event) => {
    point(event);
    if (!finger) board.click();
  });
  svg.addEventListener("auxclick", (event) => event.button === 1 && board.turn(2));
  svg.addEventListener("mousedown", (event) => event.button === 1 && event.preventDefault());
  svg.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    if (!finger) board.turn(3);
  });
  svg.addEventListener("wheel", (event) => {
    // With Shift it scrolls a board that is larger than its place.
    if (event.shiftKey) return;
    event.preventDefault();
    rolled += event.deltaY * (event.deltaMode ? LINE : 1);
    if (Math.abs(rolled) < WHEEL) return;
    board.resize(rolled < 0 ? 1 : -1);
    rolled = 0;
  }, { passive: false });
  // Two fingers part: larger.
  svg.addEventListener("touchstart", (event) => {
    if (event.touches.length !== 2) return;
    event.preventDefault();
    apart = spread(event.touches);
  }, { passive: false });
  svg.addEventListener("touchmove", (event) => {
    if (event.touches.length !== 2 || apart === null) return;
    event.preventDefault();
    const now = spread(event.touches);
    if (now < apart * PINCH && now > apart / PINCH) return;
    board.resize(now > apart ? 1 : -1);
    apart = now;
  }, { passive: false });

  /** Letters that mean something else on the page turn the block while the board has the focus or the mouse.
   *  @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (!isPlain(event) || document.querySelector("dialog[open]")) return;
    if (/** @type {Element} */ (event.target).closest("input, textarea, select") || !(document.activeElement === svg || svg.matches(":hover"))) return;
    const key = keyOf(event);
    if (TURNS[key] && !event.repeat) board.turn(TURNS[key]);
    else if (SIZES[key]) board.resize(SIZES[key]);
    else if (!TURNS[key]) return;
    event.preventDefault();
  };
  document.addEventListener("keydown", onKey, true);
  return () => document.removeEventListener("keydown", onKey, true);
}
