// What a browser may lack, and what it or its user may refuse. Then the page does without.

import { sure } from "./dom.js";

/** A media query; where there are none it never holds.
 *  @param {string} query @returns {{ readonly matches: boolean, onChange: (work: () => void) => void }} */
export function media(query) {
  try {
    const list = matchMedia(query);
    return { get matches() { return list.matches; }, onChange: (work) => list.addEventListener("change", work) };
  } catch {
    return { matches: false, onChange: () => {} };
  }
}

/** Does `work` whenever the element's size has changed, or where that is not told the window's; returns what ends it.
 *  @param {Element} element @param {() => void} work */
export function onResize(element, work) {
  try {
    const observer = new ResizeObserver(work);
    observer.observe(element);
    return () => observer.disconnect();
  } catch {
    addEventListener("resize", work);
    queueMicrotask(work);
    return () => removeEventListener("resize", work);
  }
}

/** Tells whether half of an element is in sight of what scrolls it, now and at each change; nothing where nobody can say.
 *  @param {Element} element @param {Element} root @param {(seen: boolean) => void} work */
export function onSight(element, root, work) {
  try {
    new IntersectionObserver(([entry]) => work(entry.isIntersecting), { root, threshold: 0.5 }).observe(element);
  } catch {
    // its marks are an ornament
  }
}

/** The pointer goes on telling the element, wherever it moves; one that has gone meanwhile cannot be held.
 *  @param {Element} element @param {PointerEvent} event */
export function hold(element, event) {
  try {
    element.setPointerCapture(event.pointerId);
  } catch {
    // gone: the next event is another pointer's
  }
}

/** Whether the device has a way to hand things on; browsers have it on encrypted pages and at home only. */
export const hasShare = "share" in navigator;

/** Whether that is what a person is used to: on what is held in a hand. */
export const sharesByHand = () => hasShare && media("(pointer: coarse)").matches;

/** Whether nobody else finds this page at its address. */
export const isLoopback = /^(.+[.])?localhost$|^127[.].+$|^\[::1\]$/.test(location.hostname);

/** False: the device hands nothing of that kind on, and it must go another way. Whoever changed their mind wants no other.
 *  @param {ShareData} data */
export async function handOn(data) {
  try {
    if (data.files && !navigator.canShare(data)) return false;
    await navigator.share(data);
    return true;
  } catch (error) {
    return /** @type {DOMException} */ (error).name === "AbortError";
  }
}

/** Whether the clipboard has taken a text. Pages that came over a network without encryption have none to write to, but may
 *  copy what is selected. @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** @param {string} text */
function copySelected(text) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const box = document.createElement("textarea");
  box.value = text;
  box.className = "sr-only";
  // Beside an open dialog nothing can be selected.
  sure(focused?.closest("dialog") ?? document.body).append(box);
  try {
    box.select();
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    box.remove();
    focused?.focus({ preventScroll: true });
  }
}

/** Makes this the page's address. Browsers refuse it to pages that do so too often: then the old one stays.
 *  @param {"pushState" | "replaceState"} how @param {unknown} kept @param {string} address */
export function setAddress(how, kept, address) {
  try {
    history[how](kept, "", address);
  } catch {
    // what is seen is right all the same
  }
}
