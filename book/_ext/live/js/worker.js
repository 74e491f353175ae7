// Python in a worker: Pyodide's two scripts stand before this one. It loads nothing from outside.
"use strict";

let pyodide = null;

// Pyodide asks for its files by address; they arrived with the first message.
function answerFrom(files) {
  self.fetch = async (address) => {
    const name = String(address).split("/").pop();
    if (!(name in files)) throw new TypeError(`A page's Python loads nothing: ${address}`);
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(files[name], { headers: { "Content-Type": type } });
  };
  for (const name of ["XMLHttpRequest", "WebSocket", "EventSource", "importScripts"]) {
    self[name] = undefined;
  }
}

// Pyodide waits for ever where there is no memory for it: this promise fails in its place.
function refusal() {
  return new Promise((_, refused) => {
    for (const name of ["instantiate", "instantiateStreaming"]) {
      const ask = WebAssembly[name];
      WebAssembly[name] = (...given) =>
        ask.apply(WebAssembly, given).catch((error) => {
          refused(error);
          throw error;
        });
    }
  });
}

async function start(files) {
  answerFrom(files);
  const refused = refusal();
  const loaded = self.loadPyodide({
    indexURL: "https://files.invalid/",
    lockFileContents: '{"info": {"abi_version": "2025_0", "arch": "wasm32", ' +
      '"platform": "emscripten_4_0_9", "python": "3.13.2", "version": "0.29.5"}, "packages": {}}',
  });
  pyodide = await Promise.race([loaded, refused]);
  const site = pyodide.runPython("import site; site.getsitepackages()[0]");
  for (const name of ["numpy.zip", "course.zip"]) {
    pyodide.unpackArchive(files[name], "zip", { extractDir: site });
  }
  pyodide.runPython("import live_runner");
}

self.onmessage = async ({ data }) => {
  try {
    if (data.files) {
      await start(data.files);
      self.postMessage({ ready: true });
      return;
    }
    const emit = (text, kind) => self.postMessage({ text, kind });
    const run = pyodide.pyimport("live_runner").run;
    const failure = run(data.number, data.source, emit, pyodide.toPy(data.page));
    self.postMessage({ done: true, failure: failure?.toJs() ?? null });
  } catch (error) {
    self.postMessage({ done: true, broken: true, failure: [String(error.message), ""] });
  }
};
