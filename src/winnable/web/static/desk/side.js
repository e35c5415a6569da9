// Beside the board the column of panels scrolls alone: while there is more below, its end fades.

import { $ } from "../base/dom.js";

export function mountSide() {
  const [side, end] = [document.querySelector(".side"), $("version")];
  new IntersectionObserver(([entry]) => (side.dataset.more = !entry.isIntersecting), { root: side, threshold: 0.5 }).observe(end);
}
