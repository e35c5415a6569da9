// What the parts of rotate's board tell each other, beside what the page tells.

export {};

declare module "/static/base/events.js" {
  interface PageEvents {
    /** The race began, ended or went on. */
    race: void;
  }
}
