// What the user has, in the browser's storage: the studio's store as one piece, which all open pages share.

const NAME = "winnable";
const KEY = "store";

/** revision: counts up with each save, of whichever page
 *  @typedef {{ revision: number, image: Uint8Array<ArrayBuffer> }} Kept */

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function open() {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(NAME);
  return done(opening);
}

/** All within one transaction, which other pages wait for: `navigator.locks`, as all of a secure context, is not there
 *  on a page that came by http over a local network.
 *  @template T @param {IDBTransactionMode} mode @param {(files: IDBObjectStore) => Promise<T>} work */
async function within(mode, work) {
  const database = await open();
  try {
    const transaction = database.transaction(NAME, mode);
    const [answer] = await Promise.all([work(transaction.objectStore(NAME)), complete(transaction)]);
    return answer;
  } finally {
    database.close();
  }
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
const complete = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });

/** @param {IDBObjectStore} files @returns {Promise<Kept | undefined>} */
const kept = (files) => done(files.get(KEY));

/** Undefined: there is nothing yet. Throws where the browser keeps nothing. */
export const load = () => within("readonly", kept);

/** Keeps the image, unless another page has kept one since `revision`: then `merge` makes one of both. Returns the
 *  new revision. Throws when it cannot be kept.
 *  @param {number} revision @param {Uint8Array<ArrayBuffer>} image
 *  @param {(other: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>} merge
 *  @returns {Promise<number>} */
export const save = (revision, image, merge) =>
  within("readwrite", async (files) => {
    const other = await kept(files);
    const next = { revision: (other?.revision ?? revision) + 1, image: other && other.revision !== revision ? merge(other.image) : image };
    await done(files.put(next, KEY));
    return next.revision;
  });

/** Moves what is of that revision, and cannot be used, out of the way of what is kept from now on.
 *  @param {number} revision */
export const setAside = (revision) =>
  within("readwrite", async (files) => {
    const damaged = await kept(files);
    if (damaged?.revision !== revision) return;
    await done(files.put(damaged, `damaged ${new Date().toISOString()}`));
    await done(files.delete(KEY));
  });
