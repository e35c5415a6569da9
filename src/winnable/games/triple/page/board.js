// The board of triple; ../board.d.ts says what every board is asked for.
// Rules stay on the server: a tile can be picked when `legal` holds its number.

import { markNode } from "/static/boards/mark.js";
import { el, sure, svg } from "/static/base/dom.js";
import { actTone, refusedTone, risingTone } from "/static/base/sound.js";
import { defineTiles, glyphOf, tileName, tilePicture } from "./glyphs.js";
import { liftOf, SIDE } from "./places.js";
import { toolButtons } from "./tools.js";
import { Tray } from "./tray.js";
/** @import { Bounds, Observation, SeenTile } from "./views.js" */
/** @import { AnyElement } from "/static/base/dom.js" */
/** @import { Explained } from "/static/base/messages.js" */
/** @import { Board, BoardModule, BoardPage } from "/static/boards/board.js" */

export { createEditor } from "./editor.js";

const PAD = 0.7;
const LARGEST_TILE = 88;
/** Beyond this many tiles the ones that nobody can see are not drawn. */
const DRAW_ALL = 1200;

/** kind, look: what it shows. @typedef {SVGGElement & { kind?: number | null, look?: string }} TileNode */

/** @type {BoardModule<Observation>["createBoard"]} */
export const createBoard = (container, page) => new TripleBoard(container, page);

/** @param {Event} event @param {string} selector */
const closest = ({ target }, selector) => /** @type {Element} */ (target).closest(selector);

class TripleBoard {
  /** By the numbers of their tiles. @type {Map<number, TileNode>} */
  nodes = new Map();
  /** @type {Map<number, SeenTile>} */
  seen = new Map();
  /** The tile that the keyboard is at. @type {number | null} */
  cursor = null;
  /** It, or where it was. @type {SeenTile | null} */
  spot = null;
  /** @type {Bounds} */
  bounds;
  /** How much higher each layer is drawn. */
  lift = 0;
  /** What a reason names. @type {Set<number>} */
  marked = new Set();
  /** How many tiles lie in the tray. */
  held = 0;
  /** What the last action did, for screen readers; empty when that was no pick. */
  news = "";

  /** @param {HTMLElement} container @param {BoardPage} page */
  constructor(container, { onAction, onExplain, t, number }) {
    defineTiles();
    this.container = container;
    this.onAction = onAction;
    this.t = t;
    this.number = number;
    this.field = el("div", { class: "board-field" });
    this.svg = svg("svg", { class: "board", role: "group", "data-testid": "board" });
    this.asideRow = el("div", { class: "aside-tiles", role: "group", "data-testid": "aside", hidden: true });
    this.tray = new Tray(tilePicture);
    this.field.append(this.svg);
    this.why = el("button", { class: "explain quiet clicks-button", type: "button", "aria-pressed": "false", hidden: !onExplain, "data-testid": "why", onclick: onExplain });
    this.whyBox = el("ol", { class: "clicks-needed", hidden: true, "data-testid": "why-box" });
    container.append(this.field, this.asideRow, this.tray.element, this.why, this.whyBox);
    this.svg.addEventListener("click", (event) => this.pick(closest(event, ".tile")));
    this.asideRow.addEventListener("click", (event) => this.pick(closest(event, ".aside-tile")));
    this.field.addEventListener("focusin", (event) => this.setCursor(closest(event, ".tile")));
  }

  /** The clicks until kinds are gone, below the tray, and until tiles are free, on these; null puts them away.
   *  @param {Explained | null} event */
  explain(event) {
    for (const node of this.svg.querySelectorAll(".tile-clicks")) node.remove();
    this.why.setAttribute("aria-pressed", String(event !== null));
    this.whyBox.hidden = event === null;
    if (event === null) return;
    const { free, kinds } = /** @type {{ free: Record<string, number>, kinds: Record<string, number> }} */ (event.why);
    for (const [tile, count] of Object.entries(free)) {
      this.nodes.get(Number(tile))?.append(svg("text", { class: "tile-clicks", x: 4, y: 5.4, "aria-hidden": "true" }, this.number(count)));
    }
    this.whyBox.setAttribute("aria-label", this.t("triple.clicks"));
    const fewest = Object.entries(kinds).sort((a, b) => a[1] - b[1]);
    this.whyBox.replaceChildren(...fewest.map(([kind, count]) => el("li", { "data-testid": `clicks-${kind}`, title: tileName(this.t, Number(kind)) },
      svg("svg", { viewBox: "0 0 8 8.8", role: "img", "aria-label": tileName(this.t, Number(kind)) }, ...tilePicture(Number(kind))), el("span", {}, this.number(count)))));
  }

  destroy() {
    this.container.replaceChildren();
  }

  /** @param {AnyElement | null} [node] */
  pick(node) {
    // A second click on a tile that is already on its way would only bring an error back.
    if (!node || node.classList.contains("sent")) return;
    if (!node.classList.contains("pickable")) return refusedTone();
    node.classList.add("sent");
    if (this.onAction(Number(node.dataset.tile)) === false) node.classList.remove("sent");
  }

  /** @type {Board<Observation>["render"]} */
  render(view, legal, { animate = false, action = null } = {}) {
    const focused = this.svg.contains(document.activeElement);
    const allowed = new Set(legal);
    this.frame(view.bounds);
    this.news = this.newsOf(view, allowed, animate === true ? action : null);
    const arrival = this.arrival(view, animate ? action : null);
    this.drawTiles(view.tiles, allowed, animate);
    this.drawAside(view.aside, allowed);
    this.tray.render(view.tray, view.slots, arrival);
    this.seen = new Map([...view.tiles, ...view.aside].map((tile) => [tile.tile, tile]));
    this.placeCursor(focused);
    this.held = view.tray.length;
    this.labelAll();
    this.drawMarks();
  }

  /** Which tile went, whether three vanished, and what lies open now that did not.
   *  @param {Observation} view @param {Set<number>} allowed @param {number | null} action */
  newsOf({ tiles, tray }, allowed, action) {
    const picked = action === null ? undefined : this.seen.get(action);
    if (!picked || picked.kind === null || tiles.some(({ tile }) => tile === action)) return "";
    const opened = tiles.filter(({ tile, kind }) => kind !== null && allowed.has(tile) && !this.nodes.get(tile)?.classList.contains("pickable"));
    return [
      this.t("board.told", { tile: this.tileWords(picked) }),
      tray.length <= this.held ? this.t("board.told.three") : "",
      opened.length ? this.t("board.told.opened", { tiles: opened.map((tile) => this.tileWords(tile)).join(this.t("list.semicolon")) }) : "",
    ].filter(Boolean).join(" ");
  }

  /** What a tile shows and where it lies. @param {Pick<SeenTile, "kind" | "x" | "y">} tile */
  tileWords({ kind, x, y }) {
    const place = { column: this.place(x - this.bounds.left), row: this.place(y - this.bounds.top) };
    return this.t("board.tile", { name: tileName(this.t, sure(kind)), ...place });
  }

  /** @type {NonNullable<Board<Observation>["sound"]>} */
  sound(view, before) {
    actTone();
    if (view.tray.length < before.tray.length) for (const step of [4, 6, 8]) risingTone(step, (step - 2) * 0.06);
  }

  /** Where the picked tile flies from, and its kind; null when no tile went from the board to the tray.
   *  @param {Observation} view @param {number | null} action */
  arrival(view, action) {
    if (action === null) return null;
    const tile = this.seen.get(action);
    const node = this.nodes.get(action) ?? this.asideRow.querySelector(`[data-tile="${action}"]`);
    if (!tile || !node || tile.kind === null) return null;
    if ([...view.tiles, ...view.aside].some((other) => other.tile === action)) return null;
    return { kind: tile.kind, from: node.getBoundingClientRect() };
  }

  /** The frame is the whole board's: tiles that leave must not make the others jump. @param {Bounds} bounds */
  frame(bounds) {
    this.bounds = bounds;
    this.lift = liftOf(bounds.layer);
    const top = bounds.top - bounds.layer * this.lift - PAD;
    const width = bounds.right - bounds.left + 2 * PAD;
    const height = bounds.bottom - top + PAD + 0.6;
    this.svg.setAttribute("viewBox", `${bounds.left - PAD} ${top} ${width} ${height}`);
    this.field.style.setProperty("--ratio", width / height);
    this.field.style.setProperty("--widest", `${Math.round((width / SIDE) * LARGEST_TILE)}px`);
    this.tray.element.style.setProperty("--columns", Math.round(width / SIDE));
  }

  /** Keeps the nodes of tiles that stay; the order in the document is the order of drawing.
   *  @param {SeenTile[]} tiles @param {Set<number>} allowed @param {boolean | "back"} animate */
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
    /** @type {ChildNode | null} */
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

  /** @param {SeenTile} tile */
  makeTile(tile) {
    const lifted = tile.y - tile.layer * this.lift;
    /** @type {TileNode} */
    const node = svg("g", { class: "tile", "data-tile": tile.tile, "data-layer": tile.layer, transform: `translate(${tile.x} ${lifted})` });
    this.nodes.set(tile.tile, node);
    return node;
  }

  /** Does nothing for a tile that looks as before: most do, after each click.
   *  @param {TileNode} node @param {SeenTile} tile @param {boolean} pickable */
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
    node.dataset.open = String(tile.open);
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

  /** @param {SeenTile[]} tiles @param {Set<number>} allowed */
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

  /** @param {Element} node @param {SeenTile} seenTile */
  labelTile(node, seenTile) {
    node.setAttribute("aria-label", this.tileWords(seenTile));
  }

  relabel() {
    for (const [number, node] of this.nodes) {
      if (node.classList.contains("pickable")) this.labelTile(node, sure(this.seen.get(number)));
    }
    this.labelAll();
  }

  labelAll() {
    const open = this.svg.getElementsByClassName("pickable").length;
    this.svg.setAttribute("aria-label", this.t("board.label", { tiles: this.number(this.seen.size), open: this.number(open) }));
    this.asideRow.setAttribute("aria-label", this.t("board.aside"));
    for (const node of this.asideRow.querySelectorAll("button")) node.setAttribute("aria-label", tileName(this.t, Number(node.dataset.kind)));
    this.why.textContent = this.t("triple.clicks");
    this.tray.relabel(this.t, (kind) => tileName(this.t, kind));
  }

  /** Columns and rows count from 1 in whole tiles; half a tile further is .5. @param {number} units */
  place(units) {
    return this.number(Math.round((units / SIDE) * 10) / 10 + 1);
  }

  /** @param {number | null} action */
  highlight(action) {
    for (const node of this.container.querySelectorAll(".hinted")) node.classList.remove("hinted");
    const node = this.container.querySelector(`.tile[data-tile="${Number(action)}"], .aside-tile[data-tile="${Number(action)}"]`);
    if (action === null || !node) return;
    node.classList.add("hinted");
    node.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.setCursor(node);
  }

  /** @param {number[]} actions */
  mark(actions) {
    this.marked = new Set(actions);
    this.drawMarks();
  }

  drawMarks() {
    for (const [number, node] of this.nodes) markNode(node, this.marked.has(number), this.t);
  }

  /** @param {AnyElement | null} [node] */
  setCursor(node) {
    if (!node?.classList.contains("tile")) return;
    const old = this.cursorNode();
    if (old?.hasAttribute("tabindex")) old.setAttribute("tabindex", -1);
    this.cursor = Number(node.dataset.tile);
    this.spot = this.seen.get(this.cursor) ?? null;
    node.setAttribute("tabindex", 0);
  }

  cursorNode() {
    return this.cursor === null ? null : (this.nodes.get(this.cursor) ?? null);
  }

  /** After a change: stay on the tile, else go to the nearest one that can be picked. @param {boolean} focused */
  placeCursor(focused) {
    let node = this.cursorNode();
    if (!node?.classList.contains("pickable")) {
      const from = this.spot ?? { x: this.bounds.left, y: this.bounds.top };
      node = this.nearest((to) => Math.hypot(to.x - from.x, to.y - from.y));
    }
    if (!node) return;
    this.setCursor(node);
    if (focused) node.focus({ preventScroll: true });
  }

  /** @param {number} dx @param {number} dy */
  moveCursor(dx, dy) {
    if (!this.svg.contains(document.activeElement)) return this.cursorNode()?.focus();
    // Ahead counts once and sideways double, so that the cursor goes where the arrow points.
    const from = sure(this.spot);
    /** @param {SeenTile} to */
    const score = (to) => {
      const ahead = (to.x - from.x) * dx + (to.y - from.y) * dy;
      const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
      return ahead <= 0 ? Infinity : ahead + 2 * aside;
    };
    this.nearest(score)?.focus();
  }

  /** The tile that can be picked with the least finite score. @param {(tile: SeenTile) => number} score */
  nearest(score) {
    /** @type {TileNode | null} */
    let best = null;
    let least = Infinity;
    for (const [number, node] of this.nodes) {
      if (!node.classList.contains("pickable")) continue;
      const value = score(sure(this.seen.get(number)));
      if (value < least) [best, least] = [node, value];
    }
    return best;
  }

  pickCursor() {
    this.pick(this.cursorNode());
  }

  /** @param {string} name */
  describe(name) {
    const kind = /kind(\d+)@/.exec(name)?.[1];
    if (kind !== undefined) return tileName(this.t, Number(kind));
    return ["undo", "move_out", "shuffle"].includes(name) ? this.t(`tool.${name}`) : name;
  }

  /** Of two alike, which. @param {string} name */
  locate(name) {
    const [, number, kind, x, y] = /^(\d+):kind(\d+)@(-?\d+),(-?\d+)/.exec(name) ?? [];
    return kind === undefined || !this.nodes.has(Number(number)) ? this.describe(name) : this.tileWords({ kind: Number(kind), x: Number(x), y: Number(y) });
  }

  /** @param {Observation} view */
  status(view) {
    const values = { tiles: this.number(view.tiles.length), tray: view.tray.length, slots: view.slots };
    return [this.news, this.t("board.status", values)].filter(Boolean).join(" ");
  }

  /** @param {Observation} view */
  remaining(view) {
    return view.tiles.length + (view.aside?.length ?? 0);
  }

  /** @param {Observation} view @param {number[] | null} legal */
  extras(view, legal) {
    return toolButtons(view, legal, this.t);
  }
}
