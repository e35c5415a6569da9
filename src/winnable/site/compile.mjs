// Compiles Python's packages by a browser's Python, under Node: compile.mjs PYTHON FOLDER. FOLDER has those of its own,
// `standard`, and `packages`, which are packed too. In the place of each module lies then what a browser need not
// compile at each start.

import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [python, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(python, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: `${python}/`, env: { HOME: "/tmp" } });
pyodide.mountNodeFS("/made", folder);
pyodide.runPython(`
import tarfile
from compileall import compile_dir
from pathlib import Path
from py_compile import PycInvalidationMode

def compiled(folder, where, optimize=2):
    how = dict(quiet=1, legacy=True, force=True, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
    assert compile_dir(folder, stripdir=folder, prependdir=where, optimize=optimize, **how)

compiled("/made/standard", "/lib/python314.zip")
for needs_its_docstrings in ("_pyodide", "pyodide"):
    compiled(f"/made/standard/{needs_its_docstrings}", f"/lib/python314.zip/{needs_its_docstrings}", optimize=0)
compiled("/made/packages", "/lib/python3.14/site-packages")
for path in Path("/made").rglob("*.py"):
    path.unlink()
with tarfile.open("/made/packages.tar.zst", "w:zst", level=19) as packed:
    for path in sorted(Path("/made/packages").rglob("*")):
        if path.is_file():
            about = tarfile.TarInfo(str(path.relative_to("/made/packages")))
            about.size = path.stat().st_size
            with path.open("rb") as file:
                packed.addfile(about, file)
`);
