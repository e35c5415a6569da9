// What the page relies on beyond TypeScript's own DOM.

export {};

declare global {
  /** What is looked for is an element of HTML, unless the caller's type says that it is one of SVG. */
  interface ParentNode {
    querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
    querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
    querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
    querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
  }

  /** The browser writes numbers and truth values as text. */
  interface Element {
    closest<K extends keyof HTMLElementTagNameMap>(selector: K): HTMLElementTagNameMap[K] | null;
    closest<E extends Element = HTMLElement>(selectors: string): E | null;
    setAttribute(name: string, value: string | number | boolean): void;
  }

  interface CSSStyleDeclaration {
    setProperty(property: string, value: string | number | null, priority?: string): void;
  }

  interface CSSStyleProperties {
    setProperty(property: string, value: string | number | null, priority?: string): void;
  }
}
