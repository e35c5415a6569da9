// What is heard of the arcade; base/sound.js makes it.

import { endTones, mountSound as mountSwitch, tone } from "/static/base/sound.js";
import { on } from "./bus.js";
import { options } from "./options.js";
import { botPlays } from "./state.js";
/** @import { Events } from "./views.js" */

/** Times as fast as people play: nothing can be told apart any more. */
const TOO_FAST = 4;

/** @param {Events} event */
function onEvent(event) {
  if (botPlays() && !(Number(options.bot.speed) <= TOO_FAST)) return;
  const lines = event.cleared?.length ?? 0;
  if (lines) for (let note = 0; note <= lines; note++) tone(440 * 1.26 ** note, 0.16, { after: note * 0.06 });
  else if (event.locked) tone(140, 0.07, { type: "square", volume: 0.05 });
  else if (event.held) tone(520, 0.06);
  else if (event.turned) tone(360, 0.03, { volume: 0.04 });
  else if (event.moved) tone(250, 0.02, { volume: 0.03 });
}

export function mountSound() {
  mountSwitch();
  on("arcade-event", onEvent);
  on("arcade-phase", (phase) => phase === "over" && endTones(false));
}
