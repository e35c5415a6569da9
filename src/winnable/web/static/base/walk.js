// Arrow keys among buttons that lie in rows: left and right to the one beside, up and down to the nearest in the next row.

import { isPlain, keyOf } from "./keyboard.js";

/** @param {HTMLElement} container */
export function walkByArrows(container) {
  container.addEventListener("keydown", (event) => {
    /** @type {NodeListOf<HTMLElement>} */
    const all = container.querySelectorAll("button:not(:disabled), summary");
    const nodes = [...all].filter((node) => node.checkVisibility());
    const at = nodes.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = at < 0 || !isPlain(event) ? undefined : target(nodes, at, keyOf(event));
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}

/** @param {HTMLElement[]} nodes @param {number} at @param {string} key */
function target(nodes, at, key) {
  if (key === "ArrowLeft" || key === "ArrowRight") return nodes[key === "ArrowLeft" ? at - 1 : at + 1];
  if (key !== "ArrowUp" && key !== "ArrowDown") return undefined;
  const here = nodes[at].getBoundingClientRect();
  const sign = key === "ArrowDown" ? 1 : -1;
  const beyond = nodes.map((node) => ({ node, box: node.getBoundingClientRect() })).filter(({ box }) => sign * (box.top - here.top) > here.height / 2);
  const row = Math.min(...beyond.map(({ box }) => sign * box.top));
  const near = beyond.filter(({ box }) => sign * box.top < row + here.height / 2);
  return near.sort((a, b) => Math.abs(a.box.left - here.left) - Math.abs(b.box.left - here.left))[0]?.node;
}
