// The board of a game that has no module of its own: the picture that its rules draw, and a button for each action.

import { el, redraw } from "../base/dom.js";
/** @import { BoardModule } from "./board.js" */
/** @typedef {{svg: string, actions: [number, string][]}} Picture */

/** @type {BoardModule<Picture>["createBoard"]} */
export function createBoard(container, { onAction }) {
  const image = el("img", { class: "picture-image", alt: "", "data-testid": "board" });
  const buttons = el("div", { class: "picture-buttons", role: "group" });
  const element = el("div", { class: "picture" }, image, buttons);
  container.append(element);
  /** @param {number | null} action */
  const button = (action) => /** @type {HTMLElement | null} */ (buttons.querySelector(`[data-action="${action}"]`));
  return {
    // An image runs no scripts, whoever wrote it.
    render({ svg, actions }, _legal, { frames, onLanded } = {}) {
      image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      redraw(buttons, ...actions.map(([action, name]) =>
        el("button", { type: "button", "data-key": action, "data-action": action, onclick: () => onAction(action) }, name)));
      if (frames) queueMicrotask(() => onLanded?.());
    },
    highlight: (action) => button(action)?.classList.add("hinted"),
    moveCursor(dx, dy) {
      const all = /** @type {HTMLElement[]} */ ([...buttons.children]);
      const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
      all[(at + dx + dy + all.length) % all.length]?.focus();
    },
    describe: (name) => name,
    status: ({ actions }) => actions.map(([, name]) => name).join(", "),
    remaining: () => null,
    extras: () => [],
    relabel() {},
    destroy: () => element.remove(),
  };
}
