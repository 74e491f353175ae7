// Python in the page: starts it once, runs cells in the page's order, shows what they print.

{
  const { live, _ } = window.attn;
  const PARTS = [
    "pyodide.asm.js", "pyodide.js", "worker.js", "pyodide.asm.wasm", "python_stdlib.zip",
    "numpy.zip", "course.zip",
  ];
  const SCRIPTS = PARTS.slice(0, 3);
  const BLOCKED = _(
    "This browser or its settings block the worker that Python runs in. The stored output stays; " +
      "press Run to try again.",
  );
  let files = null; // the parts, unpacked: a second start loads nothing
  const arrived = {}; // those of them that are here, should the rest fail
  const asked = new Set(); // what did not arrive is not taken from the cache when asked again
  let worker = null; // a promise of one that is ready, or null
  let answer = null; // who waits for the running cell
  let timer = 0; // what says that it takes long
  let ran = new Set();
  let queue = Promise.resolve();
  const LONG = 10; // seconds after which a cell that runs is offered to be stopped
  const LIMIT = 300; // seconds after which it is stopped
  const typed = (place) => live.editor.typed(place);

  // --- the status line, with its button to stop ---
  const line = document.createElement("div");
  line.className = "attn-live-line";
  const words = document.createElement("span");
  words.setAttribute("role", "status");
  const stop = document.createElement("button");
  stop.type = "button";
  stop.textContent = _("Stop");
  stop.addEventListener("click", () => end(_("Stopped. The next Run starts Python again.")));
  line.append(words, stop);
  line.hidden = true;
  document.body.append(line);

  function say(text, running) {
    words.textContent = text;
    stop.hidden = !running;
    line.hidden = !text;
  }

  function end(text) {
    worker?.then((one) => one.terminate(), () => {});
    worker = null;
    ran = new Set();
    answer?.({ failure: [text, ""], ended: true });
    answer = null;
    say(text, false);
  }

  // --- loading ---
  const sentence = (text) => text.replace(/\.?$/, ".");

  async function packed(name, progress) {
    if (location.protocol === "file:") {
      const text = atob(live.parts[name]);
      const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
      progress(bytes.length);
      return [bytes];
    }
    // The address carries the size: a new release is another one, and the cache may be trusted.
    const address = `${live.base}${name}.gz?${live.sizes[name]}`;
    const cache = asked.has(name) ? "reload" : "force-cache";
    asked.add(name);
    const reply = await fetch(address, { cache });
    if (!reply.ok) throw new Error(_("{name} is not on this server ({status}).", { name, status: reply.status }));
    const chunks = [];
    const reader = reply.body.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
      progress(next.value.length);
    }
    return chunks;
  }

  async function load() {
    const whole = Object.values(live.sizes).reduce((sum, size) => sum + size, 0);
    let loaded = Object.keys(arrived).reduce((sum, name) => sum + live.sizes[name], 0);
    const progress = (count) => {
      loaded += count;
      const percent = Math.min(100, Math.round((100 * loaded) / whole));
      const size = (whole / 1e6).toFixed(1);
      say(_("Loading Python: {percent} % of {size} MB", { percent, size }), false);
    };
    say(_("Loading Python"), false);
    if (location.protocol === "file:" && !live.parts) await live.load("parts.js");
    for (const name of PARTS) {
      if (arrived[name]) continue;
      const stream = new Blob(await packed(name, progress)).stream();
      const content = new Response(stream.pipeThrough(new DecompressionStream("gzip")));
      arrived[name] = SCRIPTS.includes(name) ? await content.text() : await content.arrayBuffer();
    }
    live.parts = null;
    return arrived;
  }

  async function start() {
    if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
      throw new Error(_("This browser cannot run Python: it has no WebAssembly, or is too old."));
    }
    try {
      files ??= await load();
    } catch (error) {
      say("", false);
      const why = sentence(error.message);
      throw new Error(_("Python did not arrive: {why} Press Run to try again.", { why }));
    }
    say(_("Starting Python"), true);
    const source = new Blob(SCRIPTS.map((name) => `${files[name]}\n`), { type: "text/javascript" });
    const one = blobWorker(source);
    const rest = Object.keys(files).filter((name) => !SCRIPTS.includes(name));
    const broken = (why) =>
      new Error(_("Python did not start: {why} Press Run to try again.", { why: sentence(why) }));
    await new Promise((done, failed) => {
      answer = (reply) => failed(new Error(reply.failure[0])); // the reader pressed Stop
      one.onmessage = ({ data }) =>
        data.ready ? done() : failed(broken(data.failure[0]));
      one.onerror = (event) => failed(event.message ? broken(event.message) : new Error(BLOCKED));
      one.postMessage({ files: Object.fromEntries(rest.map((name) => [name, files[name]])) });
    }).catch((error) => {
      one.terminate();
      answer = null;
      if (worker) say("", false); // after Stop the line says so
      throw error;
    });
    answer = null;
    live.editor.changed = ({ number }) => ran.delete(number);
    return one;
  }

  function blobWorker(source) {
    const address = URL.createObjectURL(source);
    try {
      return new Worker(address);
    } catch {
      say("", false);
      throw new Error(BLOCKED);
    } finally {
      URL.revokeObjectURL(address);
    }
  }

  // Code that never ends says nothing: after LONG seconds Stop is offered, after LIMIT it is pressed.
  function watch() {
    const limit = () => end(_("Stopped after {n} seconds. The next Run starts Python again.", { n: LIMIT }));
    timer = setTimeout(() => {
      say(_("Running for {n} seconds. If the code never ends, press Stop.", { n: LONG }), true);
      timer = setTimeout(limit, 1000 * (LIMIT - LONG));
    }, 1000 * LONG);
  }

  // One cell; `print` gets its text as it comes. Returns null or [last line, traceback].
  async function execute(number, source, print) {
    worker ??= start();
    let one;
    try {
      one = await worker;
    } catch (error) {
      worker = null;
      throw error;
    }
    const reply = await new Promise((done) => {
      answer = done;
      one.onmessage = ({ data }) => (data.done ? done(data) : print(data.text, data.kind));
      one.onerror = (event) => done({ broken: true, failure: [event.message, ""] });
      watch();
      const page = live.editor.places.map((place) => [place.task ?? null, typed(place)]);
      one.postMessage({ number, source, page });
    });
    clearTimeout(timer);
    answer = null;
    if (reply.broken) {
      const why = reply.failure[0];
      end(_("Python broke down: {why}. The next Run starts it again.", { why }));
    }
    if (!reply.broken && !reply.ended) ran.add(number);
    return reply.failure;
  }

  // --- results ---
  const STORED = _("The figure is the stored one.") + " ";

  // What a cell prints arrives in pieces; those of one kind are one node.
  function print(text, more, kind) {
    const last = text.lastElementChild;
    if (last?.dataset.kind === kind) {
      last.firstChild.appendData(more);
      return;
    }
    const span = document.createElement("span");
    span.dataset.kind = kind;
    if (kind === "err") span.className = "attn-live-err";
    span.append(more);
    text.append(span);
  }

  // What `table` of book/helpers/tables.py holds; its texts stay texts.
  function tabulate(text, more) {
    const { caption, heads, cells, right } = JSON.parse(more);
    const made = document.createElement("table");
    made.className = "attn-table";
    if (caption) made.createCaption().textContent = caption;
    const fill = (row, texts) =>
      texts.forEach((content, i) => {
        const cell = row.insertCell();
        cell.textContent = content;
        cell.style.textAlign = right[i] ? "right" : "left";
      });
    fill(made.createTHead().insertRow(), heads);
    for (const texts of cells) fill(made.insertRow(), texts);
    text.after(made);
  }

  // A figure that Python computed anew, drawn by the script that draws the stored one.
  function draw(place, text) {
    const { tag, wide, narrow, held } = JSON.parse(text);
    const figure = document.createElement(tag);
    figure.className = "attn-figure";
    figure.style.setProperty("--wide", `${wide}px`);
    figure.style.setProperty("--narrow", `${narrow}px`);
    const data = document.createElement("script");
    data.type = "application/json";
    data.textContent = JSON.stringify(held);
    figure.append(data);
    place.figures ??= [...place.box.querySelectorAll(".cell_output .output")].filter((output) =>
      output.querySelector(tag),
    );
    for (const output of place.figures) output.hidden = true;
    const head = place.own.querySelector("p");
    if (head.firstChild.textContent === STORED) head.firstChild.remove();
    place.own.append(figure);
    figure.start();
  }

  function results(place) {
    place.stored ??= [...place.box.querySelectorAll(".cell_output .output")].filter(
      (output) => !output.querySelector("img, [class*=attn-]:not(.attn-table)"),
    );
    place.own?.remove();
    place.note?.remove();
    place.own = document.createElement("div");
    place.own.className = "attn-live-own";
    const head = document.createElement("p");
    head.textContent = _("Your run");
    const restore = document.createElement("button");
    restore.type = "button";
    restore.textContent = _("Restore");
    restore.addEventListener("click", () => {
      place.own.remove();
      place.own = null;
      if (place.result) place.result.hidden = false;
      for (const output of [...place.stored, ...(place.figures ?? [])]) output.hidden = false;
      live.editor.restore(place);
    });
    head.append(" ", restore);
    const text = document.createElement("pre");
    text.tabIndex = 0;
    place.own.append(head, text);
    place.bar.after(place.own);
    for (const output of place.stored) output.hidden = true;
    for (const output of place.figures ?? []) output.hidden = false;
    const drawn = place.box.querySelector(
      ".cell_output img, .cell_output [class*=attn-]:not(.attn-table)",
    );
    if (drawn) head.prepend(STORED);
    // The fold around what is stored has nothing left to show, or a picture that belongs to the run.
    place.result ??= place.box.querySelector("details.below-input");
    if (place.result) {
      place.result.hidden = !drawn;
      place.result.open = true;
    }
    return text;
  }

  function failure(place, [last, trace], text) {
    const head = document.createElement("strong");
    head.textContent = last;
    text.append(head);
    if (!trace) return;
    const fold = document.createElement("details");
    const title = document.createElement("summary");
    title.textContent = _("Where it happened");
    const lines = document.createElement("pre");
    lines.textContent = trace;
    fold.append(title, lines);
    place.own.append(fold);
  }

  const next = (task) => {
    const turn = queue.then(task);
    queue = turn.catch(() => {});
    return turn;
  };
  live.run = (box, all) => next(() => runTo(box, all));

  // One cell, and before it those above that have not run; with `all` every cell from the top, each
  // with its result in sight.
  async function runTo(box, all) {
    const { places } = live.editor;
    const place = places.find((one) => one.box === box);
    if (!place) throw new Error(_("This cell is not among the page's own. Reload the page."));
    worker ??= start();
    await worker.catch((error) => {
      worker = null;
      throw error;
    });
    if (all) ran = new Set();
    for (const one of places.slice(0, place.number)) {
      if (ran.has(one.number)) continue;
      say(_("Running the cells above"), true);
      // A result in sight is that of the code above it: no old error stays under a new answer.
      const shown = one.bar && (all || one.own);
      const failed = shown ? await result(one) : await execute(one.number, typed(one), () => {});
      if (failed && !worker) return;
      // In an exercise a cell may show what an answer does that is not written yet; what is no
      // Python says more where it stands than by the names that it leaves undefined.
      if (failed && one.bar && (!live.page.notebook || /^(Syntax|Indentation|Tab)Error: line/.test(failed[0]))) {
        say(shown ? _("Failed") : "", false);
        throw new Error(_("A cell above fails: {why}", { why: failed[0] }));
      }
      ran.add(one.number);
    }
    say(_("Running"), true);
    const failed = await result(place);
    if (worker) say(failed ? _("Failed") : _("Done"), false);
  }

  // Run a cell and show what it prints; null or its failure.
  async function result(place) {
    const text = results(place);
    const shown = {
      figure: (more) => draw(place, more),
      table: (more) => tabulate(text, more),
    };
    const failed = await execute(place.number, typed(place), (more, kind) =>
      shown[kind] ? shown[kind](more) : print(text, more, kind),
    );
    if (failed) failure(place, failed, text);
    return failed;
  }
}
