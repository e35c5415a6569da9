// What the browser remembers, and all that touches its storage. That may be forbidden, full or gone: then what is
// remembered lasts as long as the page, and nothing else changes.

const PREFIX = "winnable.";

class Shelf {
  /** What the browser did not take, by name. @type {Map<string, string>} */
  own = new Map();

  /** open: may throw. @param {() => Storage} open */
  constructor(open) {
    this.open = open;
  }

  /** What `work` makes of the storage; undefined where it is refused. @template T @param {(storage: Storage) => T} work */
  with(work) {
    try {
      return work(this.open());
    } catch {
      return undefined;
    }
  }

  /** @param {string} name */
  get(name) {
    return this.own.get(name) ?? this.with((storage) => storage.getItem(PREFIX + name)) ?? null;
  }

  /** @param {string} name @param {string} value */
  set(name, value) {
    const kept = this.with((storage) => {
      storage.setItem(PREFIX + name, value);
      return true;
    });
    if (kept) this.own.delete(name);
    else this.own.set(name, value);
  }

  names() {
    const kept = this.with((storage) => Object.keys(storage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length)));
    return [...new Set([...(kept ?? []), ...this.own.keys()])];
  }
}

const lasting = new Shelf(() => localStorage);
const here = new Shelf(() => sessionStorage);

/** @param {string} name */
export const recall = (name) => lasting.get(name);

/** @param {string} name @param {string} value */
export const remember = (name, value) => lasting.set(name, value);

/** In this tab, also after a reload. @param {string} name */
export const recallHere = (name) => here.get(name);

/** @param {string} name */
export const recallHereObject = (name) => parsed(recallHere(name));

/** @param {string} name @param {string} value */
export const rememberHere = (name, value) => here.set(name, value);

/** What was remembered as JSON; empty when that is no object. @param {string} name */
export const recallObject = (name) => parsed(recall(name));

/** @param {string | null} text @returns {Record<string, unknown>} */
function parsed(text) {
  try {
    const kept = JSON.parse(text ?? "{}");
    return kept && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
  } catch {
    return {};
  }
}

/** All that is remembered, by name. @returns {Record<string, string>} */
export function remembered() {
  return Object.fromEntries(lasting.names().map((name) => [name, recall(name) ?? ""]));
}

/** What is remembered by a name like this are bests: numbers, of which the greater one counts. */
const BESTS = /^stars$|\bbest$/;

/** Adds what another browser remembered; what was chosen here stays.
 *  @param {Record<string, string>} values */
export function addRemembered(values) {
  for (const [name, value] of Object.entries(values)) {
    if (recall(name) === null) remember(name, value);
    else {
      const [ours, theirs] = [recallObject(name), parsed(value)];
      for (const [key, number] of Object.entries(theirs)) {
        if (!(key in ours) || (BESTS.test(name) && Number(number) > Number(ours[key]))) ours[key] = number;
      }
      if (Object.keys(ours).length) remember(name, JSON.stringify(ours));
    }
  }
}
