// Beside the board the column of panels scrolls alone: while there is more below, its end fades.

import { onSight } from "../base/browser.js";
import { $, sure } from "../base/dom.js";

export function mountSide() {
  const [side, end] = [sure(document.querySelector(".side")), $("version")];
  onSight(end, side, (seen) => (side.dataset.more = String(!seen)));
}
