// Compile what a start imports, so that no browser has to: node tools/live_compile.js FOLDER
// Python compiles a module that it reads as source; in WebAssembly that was half of a start.
"use strict";

const fs = require("fs");
const path = require("path");

const folder = path.resolve(process.argv[2]);
const { loadPyodide } = require(path.join(folder, "pyodide.js"));
const read = (name) => new Uint8Array(fs.readFileSync(path.join(folder, name)));

// What live_runner.py, the checker and the pages' cells import, beside NumPy.
const IMPORTS = "numpy, numpy.random, ast, collections, contextlib, copy, dataclasses, difflib, dis, " +
  "enum, functools, html, importlib.abc, importlib.util, inspect, io, itertools, json, keyword, linecache, " +
  "math, operator, pathlib, random, re, string, textwrap, tokenize, traceback, types, typing";

// What no page can use: other processes, a terminal, servers, the old encodings of other systems.
const LEFT_OUT = ["multiprocessing/", "_pyrepl/", "xmlrpc/", "wsgiref/", "encodings/mac_",
  "encodings/cp1", "encodings/cp8", "encodings/iso8859_"];

const COMPILE = `
import importlib._bootstrap_external as external, importlib.util as util, sys, zipfile
import ${IMPORTS}

origins = {getattr(m.__spec__, "origin", None) for m in list(sys.modules.values())
           if getattr(m, "__spec__", None)}
with zipfile.ZipFile("/in.zip") as whole, zipfile.ZipFile("/out.zip", "w") as part:
    for name in whole.namelist():
        if name.startswith(tuple(left_out)):
            continue
        data, place = whole.read(name), root + name
        if name.endswith(".py") and place in origins:
            # NumPy makes its docstrings at import; those of the standard library can go.
            level = 0 if name.startswith("numpy") else 2
            code = compile(data, place, "exec", dont_inherit=True, optimize=level)
            data = bytes(external._code_to_hash_pyc(code, util.source_hash(data), False))
            name += "c"
        part.writestr(zipfile.ZipInfo(name), data)
`;

async function main() {
  const python = await loadPyodide({
    indexURL: folder + path.sep,
    lockFileContents: '{"info": {"abi_version": "2025_0", "arch": "wasm32", ' +
      '"platform": "emscripten_4_0_9", "python": "3.13.2", "version": "0.29.5"}, "packages": {}}',
  });
  const site = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(read("numpy.zip"), "zip", { extractDir: site });
  const roots = { "python_stdlib.zip": "/lib/python313.zip/", "numpy.zip": `${site}/` };
  for (const [name, root] of Object.entries(roots)) {
    python.FS.writeFile("/in.zip", read(name));
    python.globals.set("root", root);
    python.globals.set("left_out", python.toPy(LEFT_OUT));
    python.runPython(COMPILE);
    fs.writeFileSync(path.join(folder, name), python.FS.readFile("/out.zip"));
  }
}

main().catch((error) => {
  console.error(String(error.message).slice(-400));
  process.exit(1);
});
