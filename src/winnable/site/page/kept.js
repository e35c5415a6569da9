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

/** @template T @param {IDBTransactionMode} mode @param {(files: IDBObjectStore) => IDBRequest<T>} work */
async function within(mode, work) {
  const database = await open();
  try {
    return await done(work(database.transaction(NAME, mode).objectStore(NAME)));
  } finally {
    database.close();
  }
}

/** Undefined: there is nothing yet. Throws where the browser keeps nothing. @returns {Promise<Kept | undefined>} */
export const load = () => within("readonly", (files) => files.get(KEY));

/** Keeps the image, unless another page has kept one since `revision`: then `merge` makes one of both. Returns the
 *  new revision. Throws when it cannot be kept.
 *  @param {number} revision @param {Uint8Array<ArrayBuffer>} image
 *  @param {(other: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>} merge
 *  @returns {Promise<number>} */
export const save = (revision, image, merge) =>
  navigator.locks.request(NAME, async () => {
    const other = await load();
    const next = { revision: (other?.revision ?? revision) + 1, image: other && other.revision !== revision ? merge(other.image) : image };
    await within("readwrite", (files) => files.put(next, KEY));
    return next.revision;
  });
