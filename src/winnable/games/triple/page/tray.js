// The tray of triple: tiles fly in, stand together by kind, and three of a kind shine and vanish. The tray
// always holds the new state at once; motion only catches up with it and never makes anybody wait.

import { el, setText, svg } from "/static/base/dom.js";
import { settings } from "/static/base/settings.js";
/** @import { Translate } from "/static/boards/board.js" */

const FLIGHT = 210;
const SHINE = 270;
/** Wider trays break into rows. */
const MOST_COLUMNS = 12;

/** index: its place in a row.
 *  @typedef {{ kind: number, node: HTMLElement, index: number }} Item */
/** The tile that was picked; item: what it becomes.
 *  @typedef {{ kind: number, from: DOMRect, item?: Item }} Arrival */
/** at: the place of the first. @typedef {{ members: Item[], third: Item, at: number }} Trio */

export class Tray {
  /** What rests in the tray, left to right. @type {Item[]} */
  items = [];
  /** Three that are about to vanish; they keep their places until the next change. @type {Trio | null} */
  trio = null;
  slots = 0;
  columns = 1;
  rows = 1;

  /** @param {(kind: number) => SVGElement[]} picture */
  constructor(picture) {
    this.picture = picture;
    this.places = el("div", { class: "tray-places", "aria-hidden": "true" });
    this.tiles = el("div", { class: "tray-tiles", "aria-hidden": "true" });
    this.text = el("span", { class: "sr-only" });
    this.element = el("div", { class: "tray", role: "group", "data-testid": "tray" }, this.places, this.tiles, this.text);
  }

  /** @param {number[]} kinds @param {number} slots @param {Arrival | null} arrival */
  render(kinds, slots, arrival) {
    this.setPlaces(slots, kinds.length);
    this.trio = null;
    const wanted = new Map();
    for (const kind of kinds) wanted.set(kind, (wanted.get(kind) ?? 0) + 1);
    if (arrival && settings.motion && !wanted.has(arrival.kind)) this.completeTrio(arrival);
    this.dropSurplus(wanted);
    for (const kind of new Set(kinds)) this.addMissing(kind, wanted.get(kind) ?? 0, arrival);
    this.layOut();
    if (arrival && settings.motion) this.fly(arrival);
    this.element.dataset.count = String(kinds.length);
    this.element.classList.toggle("full", kinds.length >= slots);
    this.element.classList.toggle("tight", kinds.length === slots - 1);
  }

  /** @param {number} slots @param {number} count */
  setPlaces(slots, count) {
    const columns = Math.min(slots, MOST_COLUMNS);
    const places = Math.min(slots, columns * Math.ceil((count + 1) / columns));
    this.element.style.setProperty("--slots", columns);
    this.columns = columns;
    if (places === this.places.childElementCount && slots === this.slots) return;
    this.slots = slots;
    this.rows = Math.ceil(places / columns);
    this.element.style.setProperty("--rows", this.rows);
    this.places.replaceChildren(
      ...Array.from({ length: places }, (_, place) => {
        const last = place === slots - 1;
        return el("div", { class: last ? "place danger" : "place", "data-testid": last ? "tray-danger" : null });
      }),
    );
  }

  /** @param {number} kind */
  make(kind) {
    const node = el("div", { class: "tray-tile", "data-kind": kind, "data-style": Math.floor(kind / 16) % 4 });
    node.append(svg("svg", { viewBox: "0 0 8 8.8" }, ...this.picture(kind)));
    this.tiles.append(node);
    return { kind, node, index: 0 };
  }

  /** The third of a kind: it still flies in, then all three go. @param {Arrival} arrival */
  completeTrio(arrival) {
    const two = this.items.filter((item) => item.kind === arrival.kind);
    if (two.length !== 2) return;
    const third = this.make(arrival.kind);
    const at = this.items.indexOf(two[1]) + 1;
    this.trio = { members: [...two, third], third, at: at - 2 };
    this.items = this.items.filter((item) => item.kind !== arrival.kind);
    for (const { node } of this.trio.members) node.classList.add("leaving");
  }

  /** @param {Map<number, number>} wanted */
  dropSurplus(wanted) {
    const kept = new Map();
    this.items = this.items.filter((item) => {
      const count = (kept.get(item.kind) ?? 0) + 1;
      kept.set(item.kind, count);
      if (count <= (wanted.get(item.kind) ?? 0)) return true;
      item.node.remove();
      return false;
    });
  }

  /** @param {number} kind @param {number} count @param {Arrival | null} arrival */
  addMissing(kind, count, arrival) {
    let have = this.items.filter((item) => item.kind === kind).length;
    for (; have < count; have++) {
      const item = this.make(kind);
      if (arrival?.kind === kind) arrival.item = item;
      const alike = this.items.findLastIndex((other) => other.kind === kind);
      this.items.splice(alike < 0 ? this.items.length : alike + 1, 0, item);
    }
  }

  /** Every tile to its place; a change of place slides by a CSS transition. */
  layOut() {
    const row = [...this.items];
    if (this.trio) row.splice(this.trio.at, 0, ...this.trio.members);
    row.forEach((item, index) => {
      item.index = index;
      item.node.style.setProperty("--at", index % this.columns);
      item.node.style.setProperty("--row", Math.floor(index / this.columns));
    });
  }

  /** @param {Arrival} arrival */
  fly(arrival) {
    const trio = this.trio;
    const item = trio?.third ?? arrival.item;
    if (!item) return;
    const box = this.tiles.getBoundingClientRect();
    const width = box.width / this.columns;
    const height = box.height / this.rows;
    const x = arrival.from.left - (box.left + (item.index % this.columns) * width);
    const y = arrival.from.top - (box.top + Math.floor(item.index / this.columns) * height);
    const scale = arrival.from.width / width;
    const flight = item.node.animate(
      [{ transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transform: "none" }],
      { duration: FLIGHT, easing: "cubic-bezier(0.3, 0.7, 0.3, 1)" },
    );
    if (trio) flight.finished.then(() => this.shine(trio), () => this.shine(trio));
  }

  /** @param {Trio} trio */
  shine(trio) {
    trio.members.forEach(({ node }, index) => {
      node.append(sparks());
      node.classList.add("shining");
      const vanish = node.animate(
        [
          { transform: "none", opacity: 1 },
          { transform: "translateY(-14%) scale(1.14)", opacity: 1, offset: 0.4 },
          { transform: "translateY(-20%) scale(0.2)", opacity: 0 },
        ],
        { duration: SHINE, delay: index * 35, easing: "ease-in", fill: "forwards" },
      );
      vanish.finished.finally(() => {
        node.remove();
        if (this.trio !== trio || index < 2) return;
        this.trio = null;
        this.layOut();
      });
    });
  }

  /** @param {Translate} t @param {(kind: number) => string} name */
  relabel(t, name) {
    const names = this.items.map((item) => name(item.kind)).join(t("list.comma"));
    this.element.setAttribute("aria-label", t("tray.label"));
    setText(this.text, t("tray.content", { n: this.items.length, rest: this.slots - 1, names: names || t("tray.empty") }));
  }
}

function sparks() {
  const rays = Array.from({ length: 8 }, (_, i) => svg("path", { d: "M0 -4.4V-5.8", transform: `rotate(${i * 45 + 22})` }));
  return svg("svg", { class: "sparks", viewBox: "-6 -6 12 12" }, ...rays);
}
