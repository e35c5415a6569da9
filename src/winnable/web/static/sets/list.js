// The kept sets: open one, or delete it, which asks once more.

import { $, el, icon, redraw, show } from "../base/dom.js";
import { ago, t, tn } from "../base/i18n.js";
import { send } from "../desk/game.js";
import { changed, view } from "./state.js";
/** @import { SetInfo } from "../base/messages.js" */

/** The set whose deletion waits for the second click. @type {string | null} */
let doomed = null;

/** @param {SetInfo} info */
export const titleOf = ({ title }) => title || t("sets.untitled");

/** @param {string} id */
export const addressOf = (id) => `./#sets/${id}`;

/** @param {SetInfo} info */
function remove({ id }) {
  if (doomed === id) send({ type: "set_delete", set: id });
  doomed = doomed === id ? null : id;
  changed();
}

/** @param {SetInfo} info */
function entry(info) {
  const { id, levels, updated, works, rests } = info;
  const name = titleOf(info);
  const facts = [tn("sets.levels", levels), works ? t("sets.works") : rests ? t("sets.rests.short") : null, ago(updated)].filter(Boolean).join(" · ");
  const asks = doomed === id;
  const label = t(asks ? "sets.delete.sure" : "sets.delete", { name });
  return el("li", { "data-key": id },
    el("a", { class: "session", href: addressOf(id), "data-testid": "sets-open", "data-set": id }, el("span", { class: "session-name" }, name), el("small", {}, facts)),
    el("button", { class: asks ? "sets-doomed" : "quiet square", type: "button", "data-testid": "sets-delete", "aria-label": label, title: label, onclick: () => remove(info) }, icon("trash"), asks ? el("span", {}, t("sets.delete.again")) : null));
}

export function drawList() {
  const sets = view.all ?? [];
  if (!sets.some(({ id }) => id === doomed)) doomed = null;
  show($("sets-kept"), view.info === null && sets.length > 0);
  redraw($("sets-list"), ...sets.map(entry));
}
