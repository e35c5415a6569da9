// The studio in a worker: Python, what is kept, and the page's messages.

import { load, save, setAside } from "./kept.js";

const PACKAGES = "/lib/python3.14/site-packages";
/** Milliseconds between two saves. */
const SAVE_EVERY = 400;
/** Where it failed. */
const RETRY_EVERY = 5000;

/** @type {any} */
const here = globalThis;

/** @param {string} path */
async function get(path) {
  const answer = await fetch(new URL(`../${path}`, import.meta.url));
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** What Python asks of the browser; see `Browser` in web/worker.py. */
const browser = {
  /** @param {string} text */
  send: (text) => here.postMessage(text),
  /** @param {string} game */
  kernels: (game) => Promise.all([get(`kernels/${game}.json`), get(`kernels/${game}.so`)]),
};

/** Python's bytes as ours. @param {any} bytes @returns {Uint8Array<ArrayBuffer>} */
function taken(bytes) {
  const array = bytes.toJs();
  bytes.destroy();
  return array;
}

/** From when on something may be saved again, and what does it at once: the page may be closed any moment. */
let due = 0;
let saveNow = () => {};

/** @param {any} studio @param {any} data */
function hear(studio, data) {
  if (typeof data === "string") studio.receive(data);
  else if (data.answer) exchange(studio, data);
  if (data.leaving || performance.now() >= due) saveNow();
}

/** @param {any} studio @param {{ content: ArrayBuffer | null, answer: MessagePort }} asked */
function exchange(studio, { content, answer }) {
  const found = studio.exchange(content && new Uint8Array(content));
  const [status, headers, body] = found.toJs({ dict_converter: Object.fromEntries });
  found.destroy();
  answer.postMessage({ status, headers, body: body.buffer });
}

/** Keeps what the user has, whenever something was added. @param {any} studio @param {number} revision */
async function keep(studio, revision) {
  /** @param {Uint8Array<ArrayBuffer>} other */
  const merge = (other) => taken(studio.merged(other));
  for (;;) {
    await new Promise((resolve) => {
      setTimeout(resolve, Math.max(SAVE_EVERY, due - performance.now()));
      saveNow = () => resolve(undefined);
    });
    try {
      if (studio.is_damaged) await setAside(revision);
      studio.is_damaged = false;
      const image = studio.changed();
      if (!image) continue;
      revision = await save(revision, taken(image), merge);
      due = performance.now() + SAVE_EVERY;
    } catch (error) {
      studio.unkept(String(error));
      due = performance.now() + RETRY_EVERY;
    }
  }
}

/** Messages that come before Python does. @type {unknown[]} */
const early = [];
/** Until the page hears what is said. */
const heard = new Promise((resolve) => {
  here.onmessage = (/** @type {MessageEvent} */ { data }) => (data.heard ? resolve(true) : early.push(data));
});

async function start() {
  const packages = get("python/packages.tar.zst");
  const loading = load().then(
    (kept) => ({ kept, trouble: "" }),
    (error) => ({ kept: undefined, trouble: String(error) }),
  );
  const { loadPyodide } = await import(new URL("../python/pyodide.mjs", import.meta.url).href);
  const python = await loadPyodide({ indexURL: new URL("../python/", import.meta.url).href });
  python.setStdout({ batched: (/** @type {string} */ line) => console.log(line) });
  python.setStderr({ batched: (/** @type {string} */ line) => console.error(line) });
  python.unpackArchive(await packages, "zstdtar", { extractDir: PACKAGES });
  const [{ kept, trouble }] = await Promise.all([loading, heard]);
  const studio = python.pyimport("winnable.web.worker").start(here.name, kept?.image ?? null, trouble, browser);
  here.onmessage = (/** @type {MessageEvent} */ { data }) => hear(studio, data);
  for (const one of early) hear(studio, one);
  if (!trouble) keep(studio, kept?.revision ?? 0);
}

start().catch((error) => heard.then(() => here.postMessage({ failed: String(error) })));
