// Where the studio is: behind the server that this page came from. A site has a module of its own in this place.

/** What talks to it, for the main page or for one that a game brings. @param {string} page */
export function reach(page) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}/ws${page && `/${page}`}`);
}

/** Gets all that the user has as one file, or hands one in. @param {RequestInit} [request] */
export const exchange = (request) => fetch("data", request);

/** Of a page that a game brings. @param {string} name */
export const pageAddress = (name) => name;

/** Whether the studio works on, and on several cores, when no page is open. */
export const goesOnAlone = true;
