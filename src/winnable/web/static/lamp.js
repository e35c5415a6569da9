// The verdict lamp: can the game on the board still be won? Shape and words say it as well as the colour.

import { on } from "./bus.js";
import { $, setText, show } from "./dom.js";
import { game, over, verdictNow } from "./game.js";
import { seconds, t, tn } from "./i18n.js";
import { announce } from "./notify.js";
import { change, settings } from "./settings.js";

const ICONS = { winnable: "check", lost: "cross", unknown: "question", hidden: "eye-off" };
let told = "";

function detail(verdict) {
  const { state, lamp } = game;
  if (state.standing === "won") return t("lamp.done");
  if (state.standing === "lost") return t("lamp.over");
  if (lamp?.searching) return verdict === "unknown" ? t("lamp.searching", { time: seconds(lamp.seconds) }) : "";
  if (verdict === "winnable") return lamp?.remaining ? tn("lamp.remaining", lamp.remaining) : "";
  if (verdict === "lost") return t("lamp.proved");
  return lamp ? t("lamp.undecided") : "";
}

function draw() {
  if (!game.state) return;
  const hidden = !settings.lamp && !over();
  const verdict = hidden ? "hidden" : verdictNow();
  const box = $("lamp");
  box.dataset.verdict = verdict;
  box.dataset.searching = !hidden && (game.lamp === null || game.lamp.searching) && verdict === "unknown";
  $("lamp-icon").setAttribute("href", `#i-${ICONS[verdict]}`);
  setText($("lamp-verdict"), t(`lamp.${verdict}`));
  setText($("lamp-detail"), hidden ? "" : detail(verdict));
  show($("lamp-why"), !hidden && verdict === "lost" && game.state.standing === "playing" && game.state.ply > 0);
  $("lamp-toggle").setAttribute("aria-pressed", settings.lamp);
  $("lamp-eye").setAttribute("href", settings.lamp ? "#i-eye" : "#i-eye-off");
  tell(verdict);
}

/** Screen readers hear a verdict when it changes, not the seconds that it took. */
function tell(verdict) {
  const word = `${game.state.session}/${verdict}`;
  if (word === told || verdict === "hidden" || game.lamp?.searching || (verdict === "unknown" && !game.lamp)) return;
  told = word;
  if (!over()) announce(`${t(`lamp.${verdict}`)}. ${detail(verdict)}`);
}

export function mountLamp() {
  on("state lamp verdicts settings language", draw);
  $("lamp-toggle").addEventListener("click", () => change("lamp", !settings.lamp));
}
