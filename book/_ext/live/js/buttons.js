// A button below each cell that Python can run in the page. Nothing more is loaded before a click.
"use strict";

{
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
        failed(new Error(`${file} could not be loaded. Try again.`));
      });
      document.head.append(script);
    });

  // An exercise's cells wait for an answer; a chapter's are worth running where they print text.
  const prints = live.name.startsWith("exercises-") ? "*" : ".output.stream, .output.text_plain";
  for (const cell of document.querySelectorAll("div.cell")) {
    const input = cell.querySelector(".cell_input");
    if (!input || !cell.querySelector(prints)) continue;
    const bar = document.createElement("div");
    bar.className = "attn-live";
    const run = document.createElement("button");
    run.type = "button";
    run.textContent = "Run";
    run.title = `Starts Python here: ${dataset.megabytes} MB, once. Nothing is sent anywhere.`;
    const says = document.createElement("span");
    says.setAttribute("role", "status");
    says.textContent = "";
    run.addEventListener("click", async () => {
      try {
        if (!live.run) await live.load("session.js");
        await live.run(cell);
      } catch (error) {
        says.textContent = error.message;
      }
    });
    bar.append(run, says);
    input.after(bar);
  }
}
