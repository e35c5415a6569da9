// The board of triple; ../board.d.ts says what every board is asked for.
// Rules stay on the server: a tile can be picked when `legal` holds its number.

import { el, svg } from "/static/base/dom.js";
import { defineTiles, glyphOf, tilePicture } from "./glyphs.js";
import { toolButtons } from "./tools.js";
import { Tray } from "./tray.js";

const SIDE = 8;
const PAD = 0.7;
/** Each layer is drawn a little higher than the one below, so that stacks show their height; in total at most: */
const MOST_LIFT = 4.5;
const LIFT = 0.34;
const LARGEST_TILE = 88;
/** Beyond this many tiles the ones that nobody can see are not drawn. */
const DRAW_ALL = 1200;

export function createBoard(container, { onAction, t, number }) {
  return new TripleBoard(container, onAction, t, number);
}

function tileName(t, kind) {
  const { name, style } = glyphOf(kind);
  return style ? t("tile.numbered", { name: t(`tile.${name}`), n: style + 1 }) : t(`tile.${name}`);
}

class TripleBoard {
  constructor(container, onAction, t, number) {
    defineTiles();
    Object.assign(this, { container, onAction, t, number });
    this.nodes = new Map();
    this.seen = new Map();
    this.cursor = null;
    this.spot = null;
    this.field = el("div", { class: "board-field" });
    this.svg = svg("svg", { class: "board", role: "group", "data-testid": "board" });
    this.asideRow = el("div", { class: "aside-tiles", role: "group", "data-testid": "aside", hidden: true });
    this.tray = new Tray(tilePicture);
    this.field.append(this.svg);
    container.append(this.field, this.asideRow, this.tray.element);
    this.svg.addEventListener("click", (event) => this.pick(event.target.closest(".tile")));
    this.asideRow.addEventListener("click", (event) => this.pick(event.target.closest(".aside-tile")));
    this.svg.addEventListener("focusin", (event) => this.setCursor(event.target.closest(".tile")));
  }

  destroy() {
    this.container.replaceChildren();
  }

  pick(node) {
    // A second click on a tile that is already on its way would only bring an error back.
    if (!node?.classList.contains("pickable") || node.classList.contains("sent")) return;
    node.classList.add("sent");
    if (this.onAction(Number(node.dataset.tile)) === false) node.classList.remove("sent");
  }

  render(view, legal, { animate = false, action = null } = {}) {
    const focused = this.svg.contains(document.activeElement);
    const allowed = new Set(legal);
    const arrival = this.arrival(view, animate ? action : null);
    this.frame(view.bounds);
    this.drawTiles(view.tiles, allowed, animate);
    this.drawAside(view.aside, allowed);
    this.tray.render(view.tray, view.slots, arrival);
    this.seen = new Map([...view.tiles, ...view.aside].map((tile) => [tile.tile, tile]));
    this.placeCursor(focused);
    this.labelAll();
  }

  /** Where the picked tile flies from, and its kind; null when no tile went from the board to the tray. */
  arrival(view, action) {
    const tile = this.seen.get(action);
    const node = this.nodes.get(action) ?? this.asideRow.querySelector(`[data-tile="${action}"]`);
    if (!tile || !node || tile.kind === null) return null;
    if ([...view.tiles, ...view.aside].some((other) => other.tile === action)) return null;
    return { kind: tile.kind, from: node.getBoundingClientRect() };
  }

  /** The frame is the whole board's: tiles that leave must not make the others jump. */
  frame(bounds) {
    this.bounds = bounds;
    this.lift = Math.min(LIFT, MOST_LIFT / Math.max(1, bounds.layer));
    const top = bounds.top - bounds.layer * this.lift - PAD;
    const width = bounds.right - bounds.left + 2 * PAD;
    const height = bounds.bottom - top + PAD + 0.6;
    this.svg.setAttribute("viewBox", `${bounds.left - PAD} ${top} ${width} ${height}`);
    this.field.style.setProperty("--ratio", width / height);
    this.field.style.setProperty("--widest", `${Math.round((width / SIDE) * LARGEST_TILE)}px`);
    this.tray.element.style.setProperty("--columns", Math.round(width / SIDE));
  }

  /** Keeps the nodes of tiles that stay; the order in the document is the order of drawing. */
  drawTiles(tiles, allowed, animate) {
    const few = tiles.length <= DRAW_ALL;
    const drawn = tiles.filter((tile) => few || tile.kind !== null || tile.open);
    drawn.sort((a, b) => a.layer - b.layer || a.y - b.y || a.x - b.x);
    const wanted = new Set(drawn.map((tile) => tile.tile));
    for (const [number, node] of this.nodes) {
      if (wanted.has(number)) continue;
      node.remove();
      this.nodes.delete(number);
    }
    let next = this.svg.firstChild;
    const fresh = this.nodes.size > 0;
    for (const tile of drawn) {
      let node = this.nodes.get(tile.tile);
      if (!node) {
        node = this.makeTile(tile);
        if (fresh && animate === "back") node.classList.add("returned");
      }
      if (node === next) next = node.nextSibling;
      else this.svg.insertBefore(node, next);
      this.dressTile(node, tile, allowed.has(tile.tile));
    }
  }

  makeTile(tile) {
    const lifted = tile.y - tile.layer * this.lift;
    const node = svg("g", { class: "tile", "data-tile": tile.tile, "data-layer": tile.layer, transform: `translate(${tile.x} ${lifted})` });
    node.kind = undefined;
    this.nodes.set(tile.tile, node);
    return node;
  }

  /** Does nothing for a tile that looks as before: most do, after each click. */
  dressTile(node, tile, pickable) {
    node.classList.remove("sent", "hinted");
    const look = `${tile.kind}/${tile.open}/${pickable}`;
    if (node.look === look) return;
    node.look = look;
    if (node.kind !== tile.kind) {
      node.kind = tile.kind;
      const body = svg("g", { class: "tile-body" }, ...tilePicture(tile.kind));
      const shade = svg("rect", { class: "tile-shade", x: 0.1, y: 0.1, width: 7.8, height: 8.3, rx: 1.4 });
      const ring = svg("rect", { class: "tile-ring", x: 0.1, y: 0.1, width: 7.8, height: 8.2, rx: 1.4 });
      node.replaceChildren(body, shade, ring);
      if (tile.kind === null) delete node.dataset.kind;
      else Object.assign(node.dataset, { kind: tile.kind, style: glyphOf(tile.kind).style });
    }
    node.dataset.open = tile.open;
    node.classList.toggle("open", tile.open);
    node.classList.toggle("pickable", pickable);
    if (pickable) {
      node.setAttribute("role", "button");
      node.setAttribute("tabindex", -1);
      node.removeAttribute("aria-hidden");
      this.labelTile(node, tile);
    } else {
      for (const name of ["role", "tabindex", "aria-label"]) node.removeAttribute(name);
      node.setAttribute("aria-hidden", "true");
    }
  }

  drawAside(tiles, allowed) {
    this.asideRow.hidden = tiles.length === 0;
    const nodes = tiles.map((tile) => {
      const picture = svg("svg", { viewBox: "0 0 8 8.8", "aria-hidden": "true" }, ...tilePicture(tile.kind));
      const node = el("button", { class: "aside-tile", type: "button", "data-tile": tile.tile, "data-kind": tile.kind, disabled: !allowed.has(tile.tile) }, picture);
      node.classList.toggle("pickable", allowed.has(tile.tile));
      return node;
    });
    this.asideRow.replaceChildren(...nodes);
  }

  labelTile(node, { kind, x, y }) {
    const place = { column: this.place(x - this.bounds.left), row: this.place(y - this.bounds.top) };
    node.setAttribute("aria-label", this.t("board.tile", { name: tileName(this.t, kind), ...place }));
  }

  relabel() {
    for (const [number, node] of this.nodes) {
      if (node.classList.contains("pickable")) this.labelTile(node, this.seen.get(number));
    }
    this.labelAll();
  }

  labelAll() {
    const open = this.svg.getElementsByClassName("pickable").length;
    this.svg.setAttribute("aria-label", this.t("board.label", { tiles: this.number(this.seen.size), open: this.number(open) }));
    this.asideRow.setAttribute("aria-label", this.t("board.aside"));
    for (const node of this.asideRow.children) node.setAttribute("aria-label", tileName(this.t, Number(node.dataset.kind)));
    this.tray.relabel(this.t, (kind) => tileName(this.t, kind));
  }

  /** Columns and rows count from 1 in whole tiles; half a tile further is .5. */
  place(units) {
    return this.number(Math.round((units / SIDE) * 10) / 10 + 1);
  }

  highlight(action) {
    for (const node of this.container.querySelectorAll(".hinted")) node.classList.remove("hinted");
    const node = this.container.querySelector(`.tile[data-tile="${Number(action)}"], .aside-tile[data-tile="${Number(action)}"]`);
    if (action === null || !node) return;
    node.classList.add("hinted");
    node.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.setCursor(node);
  }

  setCursor(node) {
    if (!node?.classList.contains("tile")) return;
    const old = this.nodes.get(this.cursor);
    if (old?.hasAttribute("tabindex")) old.setAttribute("tabindex", -1);
    this.cursor = Number(node.dataset.tile);
    this.spot = this.seen.get(this.cursor);
    node.setAttribute("tabindex", 0);
  }

  /** After a change: stay on the tile, else go to the nearest one that can be picked. */
  placeCursor(focused) {
    let node = this.nodes.get(this.cursor);
    if (!node?.classList.contains("pickable")) {
      const from = this.spot ?? { x: this.bounds.left, y: this.bounds.top };
      node = this.nearest((to) => Math.hypot(to.x - from.x, to.y - from.y));
    }
    if (!node) return;
    this.setCursor(node);
    if (focused) node.focus({ preventScroll: true });
  }

  moveCursor(dx, dy) {
    if (!this.svg.contains(document.activeElement)) return this.nodes.get(this.cursor)?.focus();
    // Ahead counts once and sideways double, so that the cursor goes where the arrow points.
    const from = this.spot;
    const score = (to) => {
      const ahead = (to.x - from.x) * dx + (to.y - from.y) * dy;
      const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
      return ahead <= 0 ? Infinity : ahead + 2 * aside;
    };
    this.nearest(score)?.focus();
  }

  /** The tile that can be picked with the least finite score. */
  nearest(score) {
    let best = null;
    let least = Infinity;
    for (const [number, node] of this.nodes) {
      if (!node.classList.contains("pickable")) continue;
      const value = score(this.seen.get(number));
      if (value < least) [best, least] = [node, value];
    }
    return best;
  }

  pickCursor() {
    this.pick(this.nodes.get(this.cursor));
  }

  describe(name) {
    const kind = /kind(\d+)@/.exec(name)?.[1];
    if (kind !== undefined) return tileName(this.t, Number(kind));
    return ["undo", "move_out", "shuffle"].includes(name) ? this.t(`tool.${name}`) : name;
  }

  status(view) {
    const values = { tiles: this.number(view.tiles.length), tray: view.tray.length, slots: view.slots };
    return this.t("board.status", values);
  }

  remaining(view) {
    return view.tiles.length + (view.aside?.length ?? 0);
  }

  extras(view, legal) {
    return toolButtons(view, legal, this.t);
  }
}
