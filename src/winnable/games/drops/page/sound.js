// Tones that rise with the chain, made by the browser; off until the person switches them on.

import { settings } from "/static/base/settings.js";

const LOWEST = 262;
/** A pentatonic scale in semitones: any two of its tones sound well together. */
const SCALE = [0, 2, 4, 7, 9];
const HIGHEST = 17;
const SHORTEST_GAP = 0.035;
/** @type {AudioContext | null} */
let audio = null;
let last = 0;

/** @param {number} frequency @param {number} seconds @param {number} volume */
function tone(frequency, seconds, volume) {
  if (!settings.sound) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  const now = audio.currentTime;
  if (now - last < SHORTEST_GAP) return;
  last = now;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(volume, now);
  gain.gain.exponentialRampToValueAtTime(0.0001, now + seconds);
  const source = audio.createOscillator();
  source.type = "triangle";
  source.frequency.setValueAtTime(frequency * 1.5, now);
  source.frequency.exponentialRampToValueAtTime(frequency, now + 0.04);
  source.connect(gain).connect(audio.destination);
  source.start(now);
  source.stop(now + seconds);
}

/** For the burst with this number in the chain. @param {number} bursts */
export function burstTone(bursts) {
  const step = Math.min(HIGHEST, bursts - 1);
  tone(LOWEST * 2 ** (Math.floor(step / SCALE.length) + SCALE[step % SCALE.length] / 12), 0.24, 0.12);
}

/** For a drop that bursts nothing. */
export function dropTone() {
  tone(196, 0.1, 0.08);
}
