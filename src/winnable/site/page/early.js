// No module, so that Python begins to come before the page's own files do; see host.js. And a browser that reads the
// site as a file loads no module: then this says what to do.

{
  const { page, file = "{}" } = /** @type {HTMLElement} */ (document.currentScript).dataset;
  if (location.protocol === "file:") {
    /** By language. @type {Record<string, string>} */
    const words = JSON.parse(file);
    const language = Object.keys(words).find((name) => name.slice(0, 2) === navigator.language.slice(0, 2)) ?? "en";
    addEventListener("DOMContentLoaded", () => {
      const note = document.createElement("main");
      note.className = "banner";
      note.dataset.testid = "file";
      note.append(document.createElement("h1"));
      note.children[0].textContent = words[language];
      document.documentElement.lang = language;
      document.body.replaceChildren(note); // nothing else there would work
    });
  } else {
    const worker = new Worker("site/worker.js", { type: "module", name: page });
    // The worker says nothing before it is asked to; that it cannot be had may be heard too early.
    worker.addEventListener("error", () => /** @type {any} */ (worker).failed = true);
    /** @type {any} */ (globalThis).studioWorker = worker;
  }
}
