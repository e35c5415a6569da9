// Which levels are shown: by a word, by what is the matter with them; and sorted by what, where the table has no heads.

import { $, el, redraw, setText, show } from "../base/dom.js";
import { number, t } from "../base/i18n.js";
import { listenToArrows, radio } from "../base/radios.js";
import { columnsNow } from "./columns.js";
import { KINDS } from "./shown.js";
import { changed, keepOrder, movable, rowsInOrder, view } from "./state.js";
import { sortBy } from "./table.js";
/** @import { Only } from "./state.js" */

/** @param {Only} only */
function choose(only) {
  view.only = only;
  changed(true);
}

export function drawFilters() {
  if (!view.stale) return;
  const rows = rowsInOrder();
  const kinds = /** @type {Only[]} */ (Object.keys(KINDS));
  redraw($("sets-only"), ...kinds.map((only) =>
    radio(only === view.only, { "data-testid": `sets-only-${only}`, onclick: () => choose(only) }, t(`sets.only.${only}`), " ", el("small", {}, number(rows.filter(KINDS[only]).length)))));
  redraw($("sets-sort"), ...columnsNow().flatMap(({ id, title }) => [false, true].map((down) =>
    el("option", { "data-key": `${id} ${down}`, value: `${id} ${down}` }, t(down ? "sets.sort.down" : "sets.sort.up", { name: title })))));
  $("sets-sort").value = `${view.sort.by} ${view.sort.down}`;
  show($("sets-keep-order"), !movable());
  show($("sets-none"), rows.length > 0 && !view.shown.length);
  setText($("sets-none"), t("sets.none"));
}

export function mountFilters() {
  listenToArrows($("sets-only"));
  $("sets-find").addEventListener("input", () => {
    view.find = $("sets-find").value;
    changed(true);
  });
  $("sets-sort").addEventListener("change", () => {
    const [, by, down] = /^(.*) (true|false)$/.exec($("sets-sort").value) ?? ["", "place", "false"];
    sortBy(by, down === "true");
  });
  $("sets-keep-order").addEventListener("click", keepOrder);
}
