// Replays calls of kernels in a browser's Python, under Node: replay.mjs PYTHON PACKAGES LIBRARY CASES, where PACKAGES
// are folders of Python's packages. Prints what `replaying` does.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

// Node would print the line that threw, which in Pyodide is a megabyte.
process.on("uncaughtException", (error) => {
  console.error(error.stack);
  process.exit(1);
});

const [python, packages, library, cases] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(python, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: `${python}/`, env: { HOME: "/tmp" } });
pyodide.setStdout({ batched: (line) => console.log(line) });
pyodide.setStderr({ batched: (line) => console.error(line) });

const copy = (from, to) => {
  if (!statSync(from).isDirectory()) return pyodide.FS.writeFile(to, new Uint8Array(readFileSync(from)));
  pyodide.FS.mkdirTree(to);
  for (const name of readdirSync(from)) if (name !== "__pycache__") copy(join(from, name), `${to}/${name}`);
};

const SITE = "/lib/python3.14/site-packages";
for (const folder of packages.split(":")) copy(folder, `${SITE}/${basename(folder)}`);
copy(library, "/kernels.so");
copy(library.replace(/\.so$/, ".json"), "/kernels.json");
copy(cases, "/cases");
pyodide.runPython('from winnable.site.replaying import main\nmain("/kernels.so", "/cases")');
