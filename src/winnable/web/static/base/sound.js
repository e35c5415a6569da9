// What is heard: short tones that the browser makes, while the person wants sound, and the switch for that.

import { on } from "./bus.js";
import { $ } from "./dom.js";
import { change, settings } from "./settings.js";

/** Seconds between two tones that were not meant as one sound: closer ones would only crackle. */
const SHORTEST_GAP = 0.035;
/** A pentatonic scale in semitones: any two of its tones sound well together. */
const SCALE = [0, 2, 4, 7, 9];
const LOWEST = 262;
const HIGHEST = 17;
/** @type {AudioContext | null} */
let audio = null;
let last = -1;

/** slide: how many times as high it begins. after: seconds from now.
 *  @typedef {{ type?: OscillatorType, volume?: number, slide?: number, after?: number }} Timbre */

/** Nothing is heard, and nothing else happens, where the browser makes no sound.
 *  @param {number} hertz @param {number} seconds @param {Timbre} [timbre] */
export function tone(hertz, seconds, timbre) {
  // Browsers let a page sound only after the person did something.
  if (!settings.sound || navigator.userActivation?.hasBeenActive === false) return;
  try {
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume()?.catch(() => {});
    play(audio, hertz, seconds, timbre);
  } catch {
    // no such thing in this browser, forbidden, or no device
  }
}

/** @param {AudioContext} audio @param {number} hertz @param {number} seconds @param {Timbre} [timbre] */
function play(audio, hertz, seconds, { type = "triangle", volume = 0.08, slide = 1, after = 0 } = {}) {
  const now = audio.currentTime;
  if (!after && now - last < SHORTEST_GAP) return;
  if (!after) last = now;
  const begin = now + after;
  const source = audio.createOscillator();
  const gain = audio.createGain();
  source.type = type;
  source.frequency.setValueAtTime(hertz * slide, begin);
  source.frequency.exponentialRampToValueAtTime(hertz, begin + 0.04);
  gain.gain.setValueAtTime(volume, begin);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + seconds);
  source.connect(gain).connect(audio.destination);
  source.start(begin);
  source.stop(begin + seconds);
}

/** The higher, the more was reached: 1, 2, 3, ... after: seconds from now. @param {number} step */
export function risingTone(step, after = 0) {
  const at = Math.max(0, Math.min(HIGHEST, Math.floor(step) - 1));
  tone(LOWEST * 2 ** (Math.floor(at / SCALE.length) + SCALE[at % SCALE.length] / 12), 0.24, { volume: 0.12, slide: 1.5, after });
}

/** Tones one after another. @param {number[]} hertz */
export function melody(hertz) {
  for (const [index, one] of hertz.entries()) tone(one, 0.25, { after: index * 0.13 });
}

/** Of a game. @param {boolean} won */
export const endTones = (won) => melody(won ? [392, 494, 587, 784] : [392, 330, 262]);
export const actTone = () => tone(330, 0.06, { volume: 0.06 });
export const refusedTone = () => tone(110, 0.12, { type: "square", volume: 0.04 });

export function toggleSound() {
  change("sound", !settings.sound);
  actTone();
}

export function mountSound() {
  $("sound").addEventListener("click", toggleSound);
  on("settings", () => {
    $("sound").setAttribute("aria-pressed", settings.sound);
    $("sound-icon").setAttribute("href", settings.sound ? "#i-sound" : "#i-sound-off");
  });
}
