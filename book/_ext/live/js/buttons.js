// A button below each cell that Python can run in the page. Nothing more is loaded before a click.
"use strict";

{
  const { _ } = window.attn;
  const { src, dataset } = document.currentScript;
  const live = { base: src.slice(0, src.lastIndexOf("/") + 1), name: dataset.page };
  window.attn.live = live;

  live.load = (file) =>
    new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = live.base + file;
      script.addEventListener("load", done);
      script.addEventListener("error", () => {
        script.remove(); // so that the next click asks again
        failed(new Error(_("{file} could not be loaded. Try again.", { file })));
      });
      document.head.append(script);
    });

  // A button, and beside it what went wrong at its last press.
  function bar(label, press) {
    const node = document.createElement("div");
    node.className = "attn-live";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.title = _("Starts Python here: {size} MB, once. Nothing is sent anywhere.", {
      size: dataset.megabytes,
    });
    const says = document.createElement("span");
    says.setAttribute("role", "status");
    button.addEventListener("click", async () => {
      says.textContent = "";
      try {
        if (!live.run) await live.load("session.js");
        if (!live.page) await live.load(`${live.name}.js`);
        await press(says);
      } catch (error) {
        says.textContent = error.message;
      }
    });
    node.append(button, says);
    return node;
  }

  // An exercise's cells wait for an answer; a chapter's are worth running where they print text or
  // show a figure that Python can compute anew.
  const chosen = document.querySelector("div.cell.tag_live");
  const cells = document.querySelectorAll(chosen ? "div.cell.tag_live" : "div.cell");
  const shows = ".output.stream, .output.text_plain, .attn-table, attn-online, attn-encoder-decoder";
  for (const cell of cells) {
    const input = cell.querySelector(".cell_input");
    if (!input || !cell.querySelector(live.name.startsWith("exercises-") ? "*" : shows)) continue;
    input.after(bar(_("Run"), () => live.run(cell)));
  }
}
