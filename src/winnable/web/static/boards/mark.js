// How boards mark a tile or cell that a reason names: to be seen, and to be heard.

/** @import { Translate } from "./board.js" */

/** @param {Element} node @param {boolean} marked @param {Translate} t */
export function markNode(node, marked, t) {
  node.classList.toggle("marked", marked);
  if (marked) node.setAttribute("aria-description", t("report.marked"));
  else node.removeAttribute("aria-description");
}
