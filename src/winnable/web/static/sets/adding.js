// Files into a set: chosen, a folder of them, or dropped anywhere on the page. One after the other, so that the studio is
// never sent more than it takes.

import { on } from "../base/bus.js";
import { $, setText, show } from "../base/dom.js";
import { number, t } from "../base/i18n.js";
import { toast } from "../base/notify.js";
import { refusalText } from "../base/refusal.js";
import { send } from "../desk/game.js";
import { contentOf, MOST_TEXT } from "../desk/newgame.js";
/** @import { ErrorEvent } from "../base/messages.js" */

/** @typedef {{ name: string, file: File }} Named */

const queue = { files: /** @type {Named[]} */ ([]), done: 0, set: "", waits: false };

/** @param {File} file In a folder it is named with that. */
const named = (file) => ({ name: file.webkitRelativePath || file.name, file });

/** What no editor shows, as systems leave in folders. @param {Named} one */
const isSeen = ({ name }) => !name.split("/").some((part) => part.startsWith("."));

async function next() {
  const one = queue.files[queue.done];
  draw();
  if (!one) {
    Object.assign(queue, { files: [], done: 0, waits: false });
    draw();
    return;
  }
  queue.done++;
  if (one.file.size > MOST_TEXT) {
    toast(t("error.field", { field: one.name, text: t("load.large") }), "error");
    return next();
  }
  const content = await contentOf(one.file);
  queue.waits = send({ type: "set_add", set: queue.set, name: one.name.slice(-500), content });
  if (!queue.waits) stop();
}

function stop() {
  Object.assign(queue, { files: [], done: 0, waits: false });
  draw();
}

function draw() {
  const { files, done } = queue;
  show($("sets-adding"), files.length > 0);
  if (files.length) setText($("sets-adding"), t("sets.adding", { n: number(done), all: number(files.length), name: files[Math.max(0, done - 1)].name }));
}

/** Whether a refusal was about a file: it is said with its name, and the next one follows. @param {ErrorEvent} event */
export function saidOfFile(event) {
  if (event.request !== "set_add" || !queue.waits) return false;
  queue.waits = false;
  toast(t("error.field", { field: queue.files[queue.done - 1].name, text: refusalText(event) }), "error");
  next();
  return true;
}

/** The levels of the file that was sent last are there. */
export function fileCame() {
  if (!queue.waits) return;
  queue.waits = false;
  next();
}

/** The files that were dropped, those in folders too. @param {DataTransfer} data @returns {Promise<Named[]>} */
async function dropped(data) {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const loose = [...data.files].map(named);
  if (!entries.some((entry) => entry?.isDirectory)) return loose;
  return (await Promise.all(entries.map((entry) => (entry ? inside(entry) : [])))).flat();
}

/** @param {FileSystemEntry} entry @returns {Promise<Named[]>} */
async function inside(entry) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject));
    return [{ name: entry.fullPath.slice(1), file }];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  const all = [];
  for (;;) {
    // A folder is told in parts; an empty one is its end.
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) break;
    all.push(...some);
  }
  return (await Promise.all(all.map(inside))).flat();
}

/** @param {(title: string, work: (set: string) => void) => void} inSet Does something with the open set, or with a new one. */
export function mountAdding(inSet) {
  /** @param {Named[]} all */
  const add = (all) => {
    const files = all.filter(isSeen).sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
    if (!files.length) return toast(t("sets.adding.none"), "warning");
    inSet(files[0].name.split("/")[0].replace(/\.\w+$/, "").slice(0, 100), (set) => {
      const idle = queue.set !== set || !queue.files.length;
      if (idle) Object.assign(queue, { files, done: 0, set });
      else queue.files.push(...files);
      if (idle) next();
    });
  };
  for (const input of [$("sets-files"), $("sets-folder"), $("sets-first-files")]) {
    input.addEventListener("change", () => {
      add([...(input.files ?? [])].map(named));
      input.value = "";
    });
  }
  document.addEventListener("drop", (event) => {
    if (document.body.dataset.view !== "sets" || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    dropped(event.dataTransfer).then(add, (error) => toast(String(error), "error"));
  });
  on("connection", (connected) => connected || stop());
}
