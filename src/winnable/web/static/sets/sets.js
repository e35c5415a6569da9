// Sets of levels: made, taken in from files, looked into, put in order and handed on. The sets are the studio's: what is
// under way goes on when the page is closed.

import { setAddress } from "../base/browser.js";
import { on } from "../base/bus.js";
import { $, arriveAt, setText, show, sure } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { toast } from "../base/notify.js";
import { send } from "../desk/game.js";
import { actions, drawActions, mountActions, onFile } from "./actions.js";
import { fileCame, mountAdding, saidOfFile } from "./adding.js";
import { drawCurve, mountCurve } from "./curve.js";
import { drawFilters, mountFilters } from "./filters.js";
import { addressOf, drawList, titleOf } from "./list.js";
import { mountMaking, openMaking, relabelMaking, saidInMaking } from "./making.js";
import { forgetPictures } from "./pictures.js";
import { mountSelecting } from "./selecting.js";
import { chooseShown } from "./shown.js";
import { changed, drawnBy, view } from "./state.js";
import { drawTable, mountTable } from "./table.js";
import { drawWork, mountWork, onWork } from "./work.js";
/** @import { ErrorEvent, SetEvent, SetRows, SetsEvent } from "../base/messages.js" */

const ADDRESS = /^#sets(?:\/([0-9a-f]{12}))?$/;
/** So many rows that come are drawn one by one; more, some times a second. */
const FEW = 1000;
const MANY_WAIT = 250;
/** What is done with the new set, once it is there. @type {((set: string) => void) | null} */
let awaiting = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

const here = () => document.body.dataset.view === "sets";
const addressed = () => ADDRESS.exec(location.hash)?.[1] ?? null;

/** Opens what the address says; the list where it names none. */
function follow() {
  changed();
  if (!here()) return;
  const id = addressed();
  send({ type: "sets" });
  if (id && id !== view.info?.id) send({ type: "set_open", set: id });
  else if (!id) leave();
  changed(true);
}

function leave() {
  if (view.info) send({ type: "set_leave" });
  forget();
}

function forget() {
  forgetPictures();
  view.info = null;
  Object.assign(view, { order: [], rows: new Map(), work: null, find: "", only: "all", shown: [], selected: new Set(), active: null, anchor: null, before: [], sort: { by: "place", down: false } });
  $("sets-find").value = "";
  $("sets-box").scrollTop = 0;
  $("sets-link").href = "./#sets";
}

/** Does something with the open set, or with a new one of this title. @param {string} title @param {(set: string) => void} work */
function inSet(title, work) {
  if (view.info) work(view.info.id);
  else if (send({ type: "set_new", title })) awaiting = work;
}

/** @param {SetsEvent} event */
function onSets({ sets }) {
  view.all = sets;
  view.info &&= sets.find(({ id }) => id === view.info?.id) ?? null;
  if (here() && addressed() && !view.info && view.rows.size) goHome();
  changed();
}

/** The list, in place of a set that is gone. */
function goHome() {
  setAddress("replaceState", null, "./#sets");
  forget();
  changed(true);
}

/** @param {SetEvent} event */
function onSet({ set, order }) {
  if (awaiting && order.length) return; // of the set that was left just now
  const begins = set.id !== view.info?.id;
  if (begins) forget();
  Object.assign(view, { info: set, order });
  // What ended while the connection was lost is not told any more.
  if (!set.works && view.work?.stage === "working") view.work = null;
  if (begins && awaiting && here()) setAddress(addressed() ? "replaceState" : "pushState", null, addressOf(set.id));
  const work = awaiting;
  awaiting = null;
  changed(true);
  if (begins && here()) arriveAt($("sets-heading"));
  work?.(set.id);
}

/** @param {SetRows} event */
function onRows({ set, rows }) {
  if (set !== view.info?.id) return;
  const there = new Set(view.order);
  let fresh = false;
  for (const row of rows) {
    // One that was removed here may still be worked on there: it does not come back for that.
    if (!view.rows.has(row.number) && !there.has(row.number)) view.order.push(row.number);
    fresh ||= !view.rows.has(row.number);
    view.rows.set(row.number, row);
  }
  if (fresh) fileCame();
  if (view.order.length <= FEW) changed(true);
  else timer ??= setTimeout(() => {
    timer = undefined;
    changed(true);
  }, MANY_WAIT);
}

/** Whether this view has said it where it belongs. @param {ErrorEvent} event */
export function saidInSets(event) {
  const { request } = event;
  if (request === "set_new") awaiting = null;
  if (request === "set_open") goHome();
  return saidInMaking(event) || saidOfFile(event);
}

/** What is dropped here is added. */
function drawDrop() {
  const words = sure($("drop").querySelector("span"));
  words.dataset.i18n = here() ? "sets.drop" : "drop.here";
  setText(words, t(words.dataset.i18n));
}

function draw() {
  const { info } = view;
  drawDrop();
  show($("sets-take"), info !== null);
  setText($("sets-take-label"), info ? t("sets.take", { name: titleOf(info) }) : "");
  if (!here()) return;
  document.title = `${info ? titleOf(info) : t("sets.title")} · winnable`;
  const empty = info !== null && !view.order.length;
  show($("sets-home"), info === null);
  show($("sets-one"), info !== null);
  show($("sets-begin"), info === null || empty);
  show($("sets-full"), info !== null && !empty);
  drawList();
  if (!info) return;
  $("sets-link").href = addressOf(info.id);
  setText($("sets-heading"), titleOf(info));
  if (document.activeElement !== $("sets-title")) $("sets-title").value = info.title;
  drawWork();
  drawFilters();
  drawActions();
  drawCurve();
  drawTable();
}

/** With the connection the studio's word has gone: all is asked again. */
function onHello() {
  awaiting = null;
  forgetPictures();
  if (!here()) return;
  send({ type: "sets" });
  if (view.info) send({ type: "set_open", set: view.info.id });
}

export function mountSets() {
  drawnBy(chooseShown);
  drawnBy(draw);
  mountActions();
  mountAdding(inSet);
  mountCurve();
  mountFilters();
  mountMaking(inSet);
  mountSelecting(actions);
  mountTable();
  mountWork();
  on("view", follow);
  addEventListener("popstate", follow);
  on("hello", onHello);
  on("sets", onSets);
  on("set", onSet);
  on("set_rows", onRows);
  on("set_work", onWork);
  on("set_file", onFile);
  on("language", () => {
    relabelMaking();
    changed(true);
  });
  $("sets-make").addEventListener("click", openMaking);
  $("sets-take").addEventListener("click", () => view.info && send({ type: "set_keep", set: view.info.id }) && toast(t("sets.taken")));
  $("sets-first-make").addEventListener("click", openMaking);
  $("sets-title").addEventListener("change", () => view.info && send({ type: "set_name", set: view.info.id, title: $("sets-title").value.trim() }));
  addEventListener("resize", () => changed());
}
