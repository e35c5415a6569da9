// The game as a bar: one cell for each ply, coloured and textured by its verdict; click or drag to go there.

import { branchWords } from "./branches.js";
import { hold, onResize } from "../base/browser.js";
import { on } from "../base/bus.js";
import { costWords } from "./costs.js";
import { $, setText, sure, svg } from "../base/dom.js";
import { lampShows } from "./daily.js";
import { endless, game, goBy, goTo, over } from "./game.js";
import { number, t } from "../base/i18n.js";
import { isPlain, keyOf } from "../base/keyboard.js";
/** @import { State, Verdicts } from "../base/messages.js" */
/** @import { History } from "./history.js" */

const HEIGHT = 20;
/** Twigs that stand closer than so many pixels are drawn as one. */
const TWIG = 10;
/** So many pixels beside a mark one still points at it. */
const NEAR = 4;
let scale = 1;
let dragging = false;
let waiting = false;
/** @type {number | null} */
let wanted = null;

/** Cells that the bar has room for: the whole game when its length is known, so that it does not keep shrinking;
 *  for a game that is analysed, only what was played. @param {State} state */
function capacity(state) {
  const { board, history } = game;
  const ahead = state.standing === "playing" && !history.blame ? (board?.remaining(state.view) ?? 0) : 0;
  return Math.max(state.length, state.ply + ahead, 8) + 1;
}

/** So many plies as runs of one verdict each. @param {Verdicts} verdicts @param {number} plies */
function runs({ winnable, lost }, plies) {
  const turn = Math.min(winnable + 1, plies);
  const end = Math.min(lost ?? plies, plies);
  const all = [
    { verdict: "winnable", start: 0, end: turn },
    { verdict: "unknown", start: turn, end },
    { verdict: "lost", start: end, end: plies },
  ];
  return all.filter((run) => run.start < run.end);
}

const defs = () =>
  svg("defs", {},
    svg("pattern", { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("rect", { width: 6, height: 6, class: "lost-field" }), svg("rect", { width: 2.2, height: 6, class: "lost-stripe" })),
    svg("pattern", { id: "dots", width: 8, height: 10, patternUnits: "userSpaceOnUse" },
      svg("rect", { width: 8, height: 10, class: "won-field" }), svg("circle", { cx: 4, cy: 5, r: 1.1, class: "won-dot" })));

function draw() {
  const { state, history } = game;
  const box = $("timeline");
  // While the last action still plays itself out, its end is not told.
  if (!state || !box.clientWidth || game.flying) return;
  const width = box.clientWidth;
  scale = width / capacity(state);
  const plain = !lampShows() && !over() && !history.blame;
  const known = plain ? { winnable: -1, lost: null } : history.known;
  const picture = svg("svg", { class: "bar", width, height: HEIGHT + 16, viewBox: `0 -8 ${width} ${HEIGHT + 16}`, "aria-hidden": "true" }, defs());
  picture.append(svg("rect", { class: "rail", x: 0, y: 0, width, height: HEIGHT, rx: 5 }));
  for (const { verdict, start, end } of runs(known, state.length + 1)) {
    picture.append(svg("rect", { class: `run ${verdict}`, "data-verdict": verdict, "data-start": start, "data-end": end - 1, x: start * scale, y: 0, width: (end - start) * scale, height: HEIGHT }));
  }
  const gone = (state.ply + 1) * scale;
  picture.append(svg("rect", { class: "undone", x: gone, y: 0, width: Math.max(0, (state.length + 1) * scale - gone), height: HEIGHT }));
  picture.append(...twigs(history.forks, state.fork?.ply));
  if (history.blame) picture.append(...blameMarks(history.blame));
  picture.append(...costMarks(history));
  const at = (state.ply + 0.5) * scale;
  picture.append(svg("rect", { class: "marker", x: Math.max(0, Math.min(width - 5, at - 2.5)), y: -6, width: 5, height: HEIGHT + 12, rx: 2.5 }));
  box.replaceChildren(picture);
  describe(box, state);
}

/** The losing click lies on the border between the two plies that it joins.
 *  @param {{ first: number, last: number }} blame */
function blameMarks({ first, last }) {
  const from = (first + 1) * scale;
  const to = (last + 1) * scale;
  const marks = [svg("path", { class: "blame", "data-testid": "timeline-blame", "data-first": first, "data-last": last, d: `M${from} -8L${from - 5} -8L${from} 0L${from} ${HEIGHT}M${to} -8L${to + 5} -8L${to} 0L${to} ${HEIGHT}` })];
  if (to > from) marks.push(svg("rect", { class: "blame-range", x: from, y: -4, width: to - from, height: 3 }));
  return marks;
}

/** What actions cost, as bars between the plies that they join; the worst are pointed at. Of bars that fall
 *  together the highest is drawn.
 *  @param {History} history */
function costMarks({ costs, worst }) {
  const highest = Math.max(...worst.map((ply) => costs.get(ply)?.cost ?? 0));
  const bars = new Map();
  for (const [ply, { cost }] of costs) {
    const x = Math.round((ply + 1) * scale);
    bars.set(x, Math.max(bars.get(x) ?? 0, Math.min(1, cost / highest) * HEIGHT));
  }
  const drawn = [...bars].filter(([, high]) => high >= 1).map(([x, high]) => `M${x} ${HEIGHT}V${HEIGHT - high}`);
  const arrows = worst.map((ply) => {
    const x = (ply + 1) * scale;
    return svg("path", { class: "cost-mark", "data-testid": "timeline-cost", "data-ply": ply, d: `M${x} -1L${x - 4} -8H${x + 4}Z` });
  });
  return [svg("path", { class: "costs", "stroke-width": Math.max(1.5, Math.min(5, scale / 2)), d: drawn.join("") }), ...arrows];
}

/** Where other branches leave the line: between the plies before and after the action.
 *  @param {number[]} forks @param {number} [here] */
function twigs(forks, here) {
  /** @type {number[]} */
  const shown = [];
  for (const ply of forks) {
    if (ply === here) shown.push(ply);
    else if (!shown.length || (ply - sure(shown.at(-1))) * scale >= TWIG) shown.push(ply);
  }
  return shown.map((ply) =>
    svg("g", { class: ply === here ? "twig here" : "twig", "data-testid": "twig", "data-ply": ply, transform: `translate(${(ply + 1) * scale} ${HEIGHT})` },
      svg("path", { d: "M0 -4C0 2 1 4 4 4" }), svg("circle", { cx: 5.500, cy: 4, r: ply === here ? 2.6 : 2 })));
}

/** @param {HTMLElement} box @param {State} state */
function describe(box, state) {
  box.setAttribute("aria-valuemin", 0);
  box.setAttribute("aria-valuemax", state.length);
  box.setAttribute("aria-valuenow", state.ply);
  const place = t("timeline.place", { ply: number(state.ply), length: number(state.length) });
  const known = lampShows() || over() ? game.history.verdict(state.ply) : "hidden";
  const words = [place, endless() ? "" : t(`lamp.${known}`), costWords(state.ply - 1), state.fork?.ply === state.ply - 1 ? branchWords() : ""];
  box.setAttribute("aria-valuetext", words.filter(Boolean).join(t("list.comma")));
  setText($("ply"), state.ply === state.length ? t("timeline.move", { ply: number(state.ply) }) : place);
}

/** @param {PointerEvent} event */
function at(event) {
  const x = event.clientX - $("timeline").getBoundingClientRect().left;
  return Math.max(0, Math.min(sure(game.state).length, Math.floor(x / scale)));
}

/** The ply before the action whose mark is under the pointer: of those that are near, the one that cost most.
 *  @param {PointerEvent} event */
function nearestCost(event) {
  const place = (event.clientX - $("timeline").getBoundingClientRect().left) / scale - 1;
  const near = Math.max(0.5, NEAR / scale);
  const costAt = (/** @type {number} */ ply) => game.history.costs.get(ply)?.cost ?? 0;
  const plies = [...game.history.costs.keys()].filter((ply) => Math.abs(ply - place) <= near);
  return plies.reduce((best, ply) => (costAt(ply) > costAt(best) ? ply : best), -1);
}

/** While dragging, one request at a time: the newest place wins. @param {number} ply */
function scrub(ply) {
  wanted = ply;
  if (waiting || ply === game.state?.ply) return;
  waiting = true;
  wanted = null;
  goTo(ply);
}

/** @param {KeyboardEvent} event */
function keys(event) {
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };
  const step = steps[keyOf(event)];
  if (step === undefined || !isPlain(event) || !game.state) return;
  event.preventDefault();
  event.stopPropagation();
  goBy(step);
}

export function mountTimeline() {
  const box = $("timeline");
  on("state verdicts settings helped language board landed", draw);
  on("state error connection", () => {
    waiting = false;
    if (wanted !== null && game.state) scrub(wanted);
  });
  box.addEventListener("pointerdown", (event) => {
    if (!game.state || event.button !== 0) return;
    dragging = true;
    hold(box, event);
    scrub(at(event));
  });
  box.addEventListener("pointermove", (event) => {
    if (dragging) scrub(at(event));
    else if (game.state) box.title = costWords(nearestCost(event));
  });
  for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, () => (dragging = false));
  box.addEventListener("keydown", keys);
  onResize(box, draw);
}
