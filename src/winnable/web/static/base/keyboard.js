// Which key was pressed, whatever the keyboard: all listeners ask here. Where a letter means something it is the one that
// the keyboard writes, so that AZERTY and Dvorak have theirs where their users look for them; keyboards of other
// scripts write none, and there it is the one that stands at the same place of a Latin keyboard. Games of quick fingers
// go by the place alone: see `placeOf`.

const LATIN = /^\p{Script=Latin}$/u;
const LETTER = /^\p{L}/u;
const SIGN = /^[!-~]$/;
/** Of keys that an input method has taken, or that write nothing yet. */
const NAMELESS = ["Process", "Unidentified"];
/** What stands at these places, without and with Shift. @type {Record<string, [string, string]>} */
const SIGNS = { Slash: ["/", "?"], Minus: ["-", "_"], Equal: ["=", "+"], NumpadAdd: ["+", "+"], NumpadSubtract: ["-", "-"], Space: [" ", " "], NumpadEnter: ["Enter", "Enter"] };
/** Whether the last letter was of another script: there signs stand on keys of letters, as the Greek ; on that of Q. */
let foreign = false;

/** On a Latin keyboard; "" where that has nothing that anybody asks for. @param {KeyboardEvent} event */
function atPlace({ code, shiftKey }) {
  const [, letter, digit] = /^(?:Key([A-Z])|(?:Digit|Numpad)(\d))$/.exec(code) ?? [];
  if (letter) return letter.toLowerCase();
  if (digit) return shiftKey ? "" : digit;
  return SIGNS[code]?.[shiftKey ? 1 : 0] ?? (/^(Arrow|Page|Home|End|Enter|Escape|Tab)/.test(code) ? code : "");
}

/** @param {string} key */
const halfWidth = (key) => key.replace(/[！-～]/, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)).replace("　", " ");

/** A small letter, a sign or a digit, " ", or a name like "ArrowLeft". @param {KeyboardEvent} event */
export function keyOf(event) {
  // What a browser fills in by itself has no key.
  const key = halfWidth(event.key ?? "");
  const place = atPlace(event);
  if (LATIN.test(key)) {
    foreign = false;
    return key.toLowerCase();
  }
  if (LETTER.test(key) && !/^[A-Z]/.test(key)) foreign = true;
  else if (SIGN.test(key) || key === "Dead") return foreign && LATIN.test(place) ? place : key;
  else if (key === " " || (/^[A-Z]/.test(key) && !NAMELESS.includes(key))) return key;
  return place || key;
}

/** With Control, Alt or the command key a key is the browser's or the system's.
 *  @param {KeyboardEvent} event */
export const isPlain = ({ ctrlKey, altKey, metaKey }) => !ctrlKey && !altKey && !metaKey;

/** With Control, or on a Mac with the command key, and nothing else. @param {KeyboardEvent} event */
export const isCommand = ({ ctrlKey, altKey, metaKey }) => ctrlKey !== metaKey && !altKey;

/** The key's place, as `KeyboardEvent.code` names it on every layout; keyboards on a screen have none, so it is the one
 *  of what they write. @param {KeyboardEvent} event */
export function placeOf(event) {
  if (event.code) return event.code;
  const key = keyOf(event);
  if (/^[a-z]$/.test(key)) return `Key${key.toUpperCase()}`;
  if (/^\d$/.test(key)) return `Digit${key}`;
  return { " ": "Space", Shift: "ShiftLeft", Control: "ControlLeft" }[key] ?? key;
}

/** What is printed on a key, as far as the browser tells. @type {Map<string, string>} */
let printed = new Map();

/** A letter on this keyboard, else on a usual one; null: none. @param {string} place */
export function letterAt(place) {
  const letter = printed.get(place) ?? /^(?:Key|Digit)(.)$/.exec(place)?.[1];
  return letter?.toUpperCase() ?? null;
}

/** Few browsers tell, and they ask their user's settings first. */
export async function learnLetters() {
  try {
    /** @type {any} */
    const { keyboard } = navigator;
    printed = new Map(await keyboard.getLayoutMap());
  } catch {
    // the letters of a usual keyboard
  }
}

/** While a word is being composed, Enter and Escape belong to the input method: no dialog is sent or closed by them.
 *  @param {KeyboardEvent} event */
function leaveToComposer(event) {
  const typing = event.target instanceof Element && event.target.matches("input, textarea");
  if (!event.isComposing && !(typing && event.keyCode === 229)) return;
  event.stopImmediatePropagation();
  if (["Enter", "NumpadEnter", "Escape"].includes(event.code || event.key)) event.preventDefault();
}

addEventListener("keydown", leaveToComposer, true);
