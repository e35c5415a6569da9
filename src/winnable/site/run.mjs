// Runs a module in a browser's Python, under Node: run.mjs PYTHON PACKAGES MODULE FILE..., where PACKAGES are folders
// of Python's packages, or archives of such, with colons between. The module is told where its files are.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

// Node would print the line that threw, which in Pyodide is a megabyte.
process.on("uncaughtException", (error) => {
  console.error(error.stack);
  process.exit(1);
});

const [python, packages, module, ...files] = process.argv.slice(2);
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
for (const one of packages.split(":")) {
  if (one.endsWith(".tar.zst")) pyodide.unpackArchive(new Uint8Array(readFileSync(one)), "zstdtar", { extractDir: SITE });
  else copy(one, `${SITE}/${basename(one)}`);
}
const places = files.map((file) => `/${basename(file)}`);
files.forEach((file, i) => copy(file, places[i]));
pyodide.globals.set("given", pyodide.toPy([module, ...places]));
pyodide.runPython('import runpy, sys\nsys.argv = given\nrunpy.run_module(given[0], run_name="__main__", alter_sys=True)');
