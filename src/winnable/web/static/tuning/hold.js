// Which weights are tuned: those that are not keep the value that stands beside them.

import { $, el, show } from "../base/dom.js";
import { send } from "../desk/game.js";
import { t } from "../base/i18n.js";
import { geneName } from "./parts.js";
/** @import { TunableEvent } from "../base/messages.js" */

const chosen = { game: "", tunable: "" };

/** Asks for the weights; a view that is about others is shut. @param {string} game @param {string} tunable */
export function drawHold(game, tunable) {
  if (game === chosen.game && tunable === chosen.tunable) return;
  Object.assign(chosen, { game, tunable });
  show($("tune-hold"), false);
  $("tune-hold").open = false;
  send({ type: "tunable_open", game, tunable });
}

/** @param {TunableEvent} event */
export function onTunable({ game, tunable, weights }) {
  if (game !== chosen.game || tunable !== chosen.tunable) return;
  show($("tune-hold"), true);
  $("tune-hold-weights").replaceChildren(...Object.entries(weights).map(([name, value]) => {
    const tuned = el("input", { type: "checkbox", checked: true, "data-testid": `tune-gene-${name}` });
    const at = el("input", { type: "number", step: "any", required: true, hidden: true, value: String(Number(value.toPrecision(6))), "data-weight": name, "data-testid": `tune-hold-${name}`, "aria-label": t("tune.hold.value", { name: geneName(name) }) });
    tuned.addEventListener("change", () => show(at, !tuned.checked));
    return el("li", {}, el("label", {}, tuned, el("span", {}, geneName(name))), at);
  }));
}

/** Weight -> the value at which it stays. */
export function held() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = $("tune-hold-weights").querySelectorAll("input[data-weight]:not([hidden])");
  return Object.fromEntries([...fields].map((field) => [field.dataset.weight, Number(field.value)]));
}
