// Beside the board the column of panels scrolls alone: while there is more below, its end fades.

import { $, sure } from "../base/dom.js";

export function mountSide() {
  const [side, end] = [sure(document.querySelector(".side")), $("version")];
  new IntersectionObserver(([entry]) => (side.dataset.more = String(!entry.isIntersecting)), { root: side, threshold: 0.5 }).observe(end);
}
