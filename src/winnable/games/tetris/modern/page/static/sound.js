// A few beeps, made here. Off until they are asked for.

import { $ } from "/static/base/dom.js";
import { change, settings } from "/static/base/settings.js";
import { on } from "./bus.js";
import { options } from "./options.js";
import { botPlays } from "./state.js";
/** @import { Events } from "./views.js" */

/** Times as fast as people play: nothing can be told apart any more. */
const TOO_FAST = 4;
/** @type {AudioContext | null} */
let audio = null;

/** Browsers let a page sound only after the person did something: the switch is that. */
function wake() {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
}

/** @param {number} hertz @param {number} seconds */
function beep(hertz, seconds, { type = /** @type {OscillatorType} */ ("triangle"), volume = 0.08, after = 0 } = {}) {
  if (!audio) return;
  const begin = audio.currentTime + after;
  const tone = audio.createOscillator();
  const gain = audio.createGain();
  tone.type = type;
  tone.frequency.value = hertz;
  gain.gain.setValueAtTime(volume, begin);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + seconds);
  tone.connect(gain).connect(audio.destination);
  tone.start(begin);
  tone.stop(begin + seconds);
}

/** @param {Events} event */
function onEvent(event) {
  if (!settings.sound || (botPlays() && !(Number(options.bot.speed) <= TOO_FAST))) return;
  wake();
  const lines = event.cleared?.length ?? 0;
  if (lines) for (let note = 0; note <= lines; note++) beep(440 * 1.26 ** note, 0.16, { after: note * 0.06 });
  else if (event.locked) beep(140, 0.07, { type: "square", volume: 0.05 });
  else if (event.held) beep(520, 0.06);
  else if (event.turned) beep(360, 0.03, { volume: 0.04 });
  else if (event.moved) beep(250, 0.02, { volume: 0.03 });
}

export function mountSound() {
  on("arcade-event", onEvent);
  on("arcade-phase", (phase) => {
    if (phase !== "over" || !settings.sound || !audio) return;
    for (const [index, hertz] of [392, 330, 262].entries()) beep(hertz, 0.25, { after: index * 0.14 });
  });
  $("sound").addEventListener("click", () => {
    change("sound", !settings.sound);
    if (settings.sound) {
      wake();
      beep(440, 0.08);
    }
  });
  on("settings", () => {
    $("sound").setAttribute("aria-pressed", settings.sound);
    $("sound-icon").setAttribute("href", settings.sound ? "#i-sound" : "#i-sound-off");
  });
}
