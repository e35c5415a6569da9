// Where the studio is: in a worker of this page. On a site it stands in the place of web/static/base/host.js.

import { keepOffline, takeNewest } from "./cached.js";
import { el } from "/static/base/dom.js";
import { t } from "/static/base/i18n.js";

/** @typedef {{ status: number, headers: Record<string, string>, body: ArrayBuffer }} Answer */

/** The close code of a worker that has stopped. */
const STOPPED = { code: 4100 };
/** What stands on the page until the studio answers for the first time. */
const ARRIVING = el("div", { "data-testid": "arriving" });
const begun = /** @type {{ studioWorker?: Worker }} */ (globalThis);
/** @type {Reached | undefined} */
let reached;

/** Looks like a WebSocket to the page. */
class Reached extends EventTarget {
  /** @type {number} */
  readyState = WebSocket.CONNECTING;

  /** @param {string} page */
  constructor(page) {
    super();
    this.worker = begun.studioWorker ?? new Worker(new URL("../../site/worker.js", import.meta.url), { type: "module", name: page });
    begun.studioWorker = undefined;
    this.worker.addEventListener("message", ({ data }) => {
      if (typeof data === "string") {
        arrived();
        this.readyState = WebSocket.OPEN;
        this.dispatchEvent(new MessageEvent("message", { data }));
      } else this.lose(data.failed);
    });
    this.worker.addEventListener("error", ({ message }) => this.lose(message));
    if ("failed" in this.worker) setTimeout(() => this.lose("the worker did not come"));
    this.worker.postMessage({ heard: true });
  }

  /** @param {string} text */
  send(text) {
    this.worker.postMessage(text);
  }

  /** @param {string} why */
  lose(why) {
    console.error(why);
    ARRIVING.remove();
    this.worker.terminate();
    this.readyState = WebSocket.CLOSED;
    this.dispatchEvent(new CloseEvent("close", STOPPED));
  }
}

function begin() {
  takeNewest();
  document.addEventListener("visibilitychange", () => document.hidden && reached?.worker.postMessage({ leaving: true }));
  ARRIVING.append(el("div", { class: "banner calm", role: "status" }, t(isSecureContext ? "site.arriving" : "site.arriving.online")));
  // The main page's own main parts and headings come with the first answer.
  if (!document.querySelector("main:not([hidden])")) {
    ARRIVING.role = "main";
    ARRIVING.prepend(el("h1", { class: "sr-only" }, document.title));
  }
  document.querySelector("header")?.after(ARRIVING);
}

function arrived() {
  if (!ARRIVING.isConnected) return;
  ARRIVING.remove();
  navigator.storage?.persist?.();
  keepOffline();
}

/** What talks to it, for the main page or for one that a game brings. @param {string} page */
export function reach(page) {
  if (reached) reached.worker.terminate();
  else begin();
  return (reached = new Reached(page));
}

/** Gets all that the user has as one file, or hands one in. @param {RequestInit} [request] */
export async function exchange(request) {
  const content = request?.body ? await new Response(request.body).arrayBuffer() : null;
  const { port1: here, port2: there } = new MessageChannel();
  /** @type {Answer} */
  const { status, headers, body } = await new Promise((resolve, reject) => {
    const stop = () => reject(new Error(t(`closed.${STOPPED.code}`)));
    if (!reached || reached.readyState === WebSocket.CLOSED) return stop();
    reached.addEventListener("close", stop);
    here.onmessage = ({ data }) => resolve(data);
    reached.worker.postMessage({ content, answer: there }, [there]);
  });
  return new Response(body, { status, headers });
}

/** Of a page that a game brings. @param {string} name */
export const pageAddress = (name) => `${name}.html`;

/** Whether the studio works on, and on several cores, when no page is open. */
export const goesOnAlone = false;
