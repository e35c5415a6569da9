// What lies over the board of rotate: the frames of the blocks around the aim, the hint, and the flash of a colour
// that has just been finished. In cells from the upper left corner.

import { svg } from "/static/base/dom.js";
import { settings } from "/static/base/settings.js";
/** @import { Block, Turn } from "./blocks.js" */

const FLASH = 700;

export class Marks {
  /** @param {SVGElement} layer */
  constructor(layer) {
    this.aim = svg("g", { class: "rotate-aims" });
    this.hint = svg("g", { class: "rotate-hint" });
    this.flashes = svg("g", { "aria-hidden": "true" });
    layer.append(this.flashes, this.aim, this.hint);
  }

  /** blocks: around the same centre; `chosen` is the side of the one that would turn.
   *  @param {Block[]} blocks @param {number} chosen */
  showAim(blocks, chosen) {
    const frames = blocks.map((block) => frame(block, block.side === chosen ? "chosen" : Math.abs(block.side - chosen) === 2 ? "near" : ""));
    // The strongest one lies on top.
    frames.sort((one, other) => Number(one.classList.contains("chosen")) - Number(other.classList.contains("chosen")));
    const { left, top, side } = blocks[0];
    // In the middle of a cell stands its sign.
    const centre = side % 2 ? [] : [svg("circle", { class: "rotate-centre", cx: left + side / 2, cy: top + side / 2, r: 0.12 })];
    this.aim.replaceChildren(...frames, ...centre);
  }

  hideAim() {
    this.aim.replaceChildren();
  }

  /** turn: null takes the hint away. @param {Turn | null} turn */
  showHint(turn) {
    if (turn === null) return this.hint.replaceChildren();
    const { left, top, side, quarters } = turn;
    const arrow = svg("g", { transform: `translate(${left + side / 2} ${top + side / 2}) scale(${side * 0.34})` }, ...arc(quarters));
    const mark = frame(turn, "hinted");
    this.hint.replaceChildren(mark, arrow);
    mark.dataset.turn = `${left},${top},${side},${quarters}`;
    this.hint.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  }

  /** places: [{x, y}] of the cells that shine once. @param {{ x: number, y: number }[]} places */
  flash(places) {
    if (!places.length || !settings.motion) return;
    const path = svg("path", { class: "rotate-flash", "data-testid": "rotate-flash", d: places.map(({ x, y }) => `M${x} ${y}h1v1h-1z`).join("") });
    this.flashes.append(path);
    setTimeout(() => path.remove(), FLASH);
  }
}

/** @param {Block} block @param {string} kind */
function frame({ left, top, side }, kind) {
  const box = { x: left, y: top, width: side, height: side, rx: 0.12 };
  return svg("g", { class: `rotate-frame ${kind}`, "data-side": side }, svg("rect", { class: "casing", ...box }), svg("rect", { class: "light", ...box }));
}

/** An arrow around the origin, of radius 1, that shows how far and which way a block turns.
 *  @param {number} quarters */
function arc(quarters) {
  const back = quarters === 3;
  const sweep = (back ? -1 : quarters) * 90;
  const [from, to] = [-90 - sweep / 2, -90 + sweep / 2];
  /** @param {number} angle */
  const at = (angle) => [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const [[x1, y1], [x2, y2]] = [at(from), at(to)];
  const head = `translate(${x2} ${y2}) rotate(${to + (back ? 180 : 0)})`;
  const d = `M${x1} ${y1}A1 1 0 0 ${back ? 0 : 1} ${x2} ${y2}`;
  return [
    svg("path", { class: "casing", d }),
    svg("path", { class: "casing tip", d: "M-.3 0H.3L0 .42Z", transform: head }),
    svg("path", { class: "light", d }),
    svg("path", { class: "light tip", d: "M-.3 0H.3L0 .42Z", transform: head }),
  ];
}
