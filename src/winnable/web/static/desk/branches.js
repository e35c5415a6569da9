// Branches of the game: a button beside the timeline says which one the line takes at the fork that matters
// here, and opens the list of all of them. Another one is a click or a key away.

import { emit, on } from "../base/bus.js";
import { $, el, icon, redraw, setText, show, sure } from "../base/dom.js";
import { lampShows } from "./daily.js";
import { game, over, send } from "./game.js";
import { countMoves, number, t } from "../base/i18n.js";
import { keyOf } from "../base/keyboard.js";
import { announce } from "../base/notify.js";
/** @import { Icon } from "../base/dom.js" */
/** @import { BranchInfo, Branches, ForkInfo, PageRequest, State } from "../base/messages.js" */

/** @type {Record<string, Icon>} */
const ICONS = { winnable: "check", lost: "cross", unknown: "question" };
/** The last answer of the server; asked: for another branch, which is told when it is there. */
const list = { open: false, told: /** @type {Branches | null} */ (null), asked: false };

/** To the next of the branches (1), or to the one before (-1). @param {-1 | 1} step */
export function alternate(step) {
  if (game.state?.fork) leave({ type: "alternate", step });
}

/** Which branch the line takes, in words; empty where there is none. @param {ForkInfo | null} [fork] */
export function branchWords(fork = game.state?.fork) {
  return fork ? t("branches.place", { at: number(fork.at + 1), number: number(fork.number) }) : "";
}

/** @param {PageRequest} request */
function leave(request) {
  emit("act");
  list.asked = send(request);
}

function toggle(open = !list.open) {
  list.open = open && Boolean(game.state?.fork);
  list.told = null;
  if (list.open) send({ type: "branches" });
  draw();
}

/** @param {BranchInfo} branch @param {number} fork */
function branch({ action, name, length, here, verdict, standing }, fork) {
  const shown = lampShows() || over() ? verdict : null;
  const facts = [countMoves(length, sure(game.state).game), standing === "playing" ? null : t(`standing.${standing}`)].filter(Boolean);
  const heard = shown && el("span", { class: "sr-only" }, `${t("list.comma")}${t(`lamp.${shown}`)}${t("list.comma")}`);
  const go = () => leave({ type: "goto", ply: fork, action });
  return el("li", { "data-key": action }, el("button", { type: "button", "data-testid": "branch", "data-action": action, "data-verdict": shown, "aria-current": here ? "true" : null, onclick: go },
    shown && icon(ICONS[shown]), el("span", {}, game.board?.describe(name) ?? name), heard, el("small", {}, facts.join(" · "))));
}

function drawList() {
  const box = $("branch-list");
  show(box, list.open && list.told !== null);
  if (!list.open || !list.told) return;
  const { branches } = list.told;
  const fork = sure(list.told.fork);
  redraw(box, el("p", {}, t("branches.at", { ply: number(fork + 1) })), el("ul", {}, ...branches.map((info) => branch(info, fork))));
  box.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

function draw() {
  const fork = game.state?.fork;
  show($("branches"), Boolean(fork));
  if (!fork) list.open = false;
  else {
    setText($("branches-place"), `${number(fork.at + 1)}/${number(fork.number)}`);
    $("branches").setAttribute("aria-label", [$("branches-place").textContent, t("branches.at", { ply: number(fork.ply + 1) }), branchWords(fork)].join(t("list.comma")));
    $("branches").title = t("branches.title");
  }
  $("branches").setAttribute("aria-expanded", list.open);
  drawList();
}

/** What is shown is about the board before: it stays until the answer for this one has come. @param {State} state */
function onState(state) {
  if (list.told?.session !== state.session) list.told = null;
  if (list.open) send({ type: "branches" });
  if (list.asked && state.fork) announce(`${t("timeline.move", { ply: number(state.ply) })}${t("list.comma")}${branchWords()}`);
  list.asked = false;
  draw();
}

export function mountBranches() {
  on("state", onState);
  on("branches", (event) => {
    if (event.session !== game.state?.session || event.fork === null) return;
    list.told = event;
    drawList();
  });
  on("lamp", () => list.open && send({ type: "branches" }));
  on("language settings helped board", draw);
  on("error connection", () => (list.asked = false));
  $("branches").addEventListener("click", () => toggle());
  document.addEventListener("keydown", (event) => {
    if (keyOf(event) !== "Escape" || !list.open || document.querySelector("dialog[open]")) return;
    if ($("branch-list").contains(document.activeElement)) $("branches").focus();
    toggle(false);
  });
  document.addEventListener("pointerdown", ({ target }) => list.open && !/** @type {Element} */ (target).closest(".timeline-row") && toggle(false));
}
