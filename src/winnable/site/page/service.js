// Keeps the whole site in the browser, so that it works without a network. FILES and VERSION stand before this text
// where a site is written: every file with the digest of what is in it, and the digest of all that.

/** @typedef {{ FILES: Record<string, string>, VERSION: string }} Written */

const worker = /** @type {any} */ (globalThis);
const { FILES, VERSION } = /** @type {Written} */ (worker.written);
/** Other sites of the host have their own. */
const OURS = `winnable ${worker.registration.scope} `;
const NAME = OURS + VERSION;
/** In each cache: the digests of its files. */
const DIGESTS = "digests.json";

/** Fetches what no older cache has. */
async function fill() {
  const older = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== NAME);
  const cache = await caches.open(NAME);
  /** @type {[Cache, Record<string, string>][]} */
  const known = [];
  for (const name of older) {
    const old = await caches.open(name);
    known.push([old, (await (await old.match(DIGESTS))?.json()) ?? {}]);
  }
  await Promise.all(
    Object.entries(FILES).map(async ([path, digest]) => {
      const old = known.find(([, digests]) => digests[path] === digest)?.[0];
      const kept = await old?.match(path);
      const answer = kept ?? (await fetch(path, { cache: "no-cache" }));
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      // Browsers take no page from a cache that came by a redirection.
      await cache.put(path, answer.redirected ? new Response(answer.body, answer) : answer);
    }),
  );
  await cache.put(DIGESTS, new Response(JSON.stringify(FILES)));
}

async function drop() {
  for (const name of await caches.keys()) if (name.startsWith(OURS) && name !== NAME) await caches.delete(name);
  await worker.clients.claim();
}

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(NAME);
  const path = new URL(request.url).pathname.endsWith("/") ? "index.html" : request;
  return (await cache.match(path, { ignoreSearch: true })) ?? fetch(request);
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fill()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(drop()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(worker.registration.scope)) event.respondWith(answer(request));
});
// A page that was just opened takes the new version, unless another one is in use.
worker.addEventListener("message", (/** @type {any} */ event) => {
  if (event.data !== "take over") return;
  event.waitUntil(
    worker.clients.matchAll({ includeUncontrolled: true }).then((/** @type {{ url: string }[]} */ pages) => {
      if (pages.filter(({ url }) => url.startsWith(worker.registration.scope)).length < 2) worker.skipWaiting();
    }),
  );
});
