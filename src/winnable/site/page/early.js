// No module, so that Python begins to come before the page's own files do. See host.js.

/** @type {any} */ (globalThis).studioWorker = new Worker("site/worker.js", { type: "module", name: document.currentScript?.dataset.page });
