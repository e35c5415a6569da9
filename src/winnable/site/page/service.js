// Keeps the whole site in the browser, so that it works without a network. A version of the site is a cache of its
// own, whole once the list of its files is in it. Pages come from the oldest one that is whole: a newer one is fetched
// beside it, and takes its place when the only page that is open asks before it begins.

/** @typedef {{ version: string, files: Record<string, string> }} Site  each file with the digest of what is in it */
/** @typedef {{ name: string, cache: Cache, files: Record<string, string> }} Version */

const worker = /** @type {any} */ (globalThis);
const SCOPE = worker.registration.scope;
/** Other sites of the host have their own. */
const OURS = `winnable ${SCOPE} `;
/** The site's list of its files. */
const LIST = "files.json";
/** The one that pages come from. @type {Promise<Version | undefined> | undefined} */
let served;

/** Those that are here as a whole, the oldest first. */
async function versions() {
  /** @type {Version[]} */
  const whole = [];
  for (const name of (await caches.keys()).filter((name) => name.startsWith(OURS))) {
    const cache = await caches.open(name);
    const list = await cache.match(LIST);
    if (list) whole.push({ name, cache, files: (await list.json()).files });
  }
  return whole;
}

/** @param {string} path @param {string} digest */
async function fetched(path, digest) {
  const answer = await fetch(path, { cache: "no-cache" });
  const content = await answer.arrayBuffer();
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  const isWhole = digest === Array.from(found, (byte) => byte.toString(16).padStart(2, "0")).join("");
  // Some hosts write into pages. For the rest, a host that is just given a new version has files of both.
  if (!answer.ok || !(isWhole || path.endsWith(".html"))) throw new Error(`${path}: ${answer.status}, not as it was written`);
  // Browsers take no page from a cache that came by a redirection.
  return new Response(content, { headers: answer.headers });
}

/** Gets the host's version, from others what is the same in them. Says whether it waits for its turn now. */
async function look() {
  const list = await (await fetch(LIST, { cache: "no-cache" })).text();
  /** @type {Site} */
  const { version, files } = JSON.parse(list);
  const name = OURS + version;
  const here = await versions();
  const place = here.findIndex((one) => one.name === name);
  if (place >= 0) {
    for (const taken of here.slice(place + 1)) await caches.delete(taken.name); // which the host took back
    return place > 0;
  }
  const cache = await caches.open(name);
  const filled = Object.entries(files).map(async ([path, digest]) => {
    const same = here.find((one) => one.files[path] === digest);
    await cache.put(path, (await same?.cache.match(path)) ?? (await fetched(path, digest)));
  });
  await Promise.all(filled);
  await cache.put(LIST, new Response(list));
  if (!here.length) served = undefined;
  return here.length > 0;
}

/** Lets the newest version be the one that pages come from, if no other page is open. Says whether it is that now. */
async function takeNewest() {
  const here = await versions();
  const newest = here.pop();
  if (!newest || !here.length) return false;
  const pages = await worker.clients.matchAll({ includeUncontrolled: true });
  if (pages.filter((/** @type {{ url: string }} */ { url }) => url.startsWith(SCOPE)).length > 1) return false;
  served = Promise.resolve(newest);
  for (const name of await caches.keys()) if (name.startsWith(OURS) && name !== newest.name) await caches.delete(name);
  return true;
}

/** @param {Request} request */
async function answer(request) {
  const version = await (served ??= versions().then(([oldest]) => oldest));
  const path = new URL(request.url).pathname.endsWith("/") ? "index.html" : request;
  return (await version?.cache.match(path, { ignoreSearch: true })) ?? fetch(request);
}

/** What a page asks; it is told whether that is so. @type {Record<string, () => Promise<boolean>>} */
const ASKED = { look, "take newest": takeNewest };

/** @param {any} event */
async function tell({ data: asked, source }) {
  const holds = await ASKED[asked]().catch(console.warn); // without a network, or the host is just given a new version
  source.postMessage({ asked, holds: holds === true });
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(look()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(SCOPE)) event.respondWith(answer(request));
});
worker.addEventListener("message", (/** @type {any} */ event) => event.waitUntil(tell(event)));
