// The search page: one row a page, and as its excerpt the sentence with the word.
"use strict";

{
  const LEFT_OUT = ".headerlink, script, style, nav, .attn-head, .attn-quiz, .attn-still, pre";
  const LONGEST = 240; // characters

  /** The sentences of a passage around the first that holds a word, cut to LONGEST. */
  const around = (text, found) => {
    const whole = text.replace(/\s+/g, " ").trim();
    const lower = whole.toLowerCase();
    const at = Math.min(...found.map((word) => lower.indexOf(word)).filter((i) => i >= 0));
    const start = Math.max(0, lower.lastIndexOf(". ", at) + 1);
    const from = at - start > LONGEST / 2 ? whole.indexOf(" ", at - 60) : start;
    const piece = whole.slice(from, from + LONGEST).trim();
    return `${from > start ? "… " : ""}${piece}${from + LONGEST < whole.length ? " …" : ""}`;
  };

  Search.makeSearchSummary = (page, terms, anchor) => {
    const parsed = new DOMParser().parseFromString(page, "text/html");
    const article = parsed.querySelector(".bd-article, [role=main]");
    if (!article) return null;
    const within = (anchor && parsed.querySelector(anchor)) || article;
    for (const node of within.querySelectorAll(LEFT_OUT)) node.remove();
    const words = [...terms].map((word) => word.toLowerCase());
    const count = (node) => words.filter((word) => node.textContent.toLowerCase().includes(word));
    let best = { found: [] };
    for (const node of within.querySelectorAll("p, li, dd, td, figcaption")) {
      const found = count(node);
      if (found.length > best.found.length) best = { node, found };
      if (found.length === words.length) break;
    }
    const first = [...within.querySelectorAll("p")].find((p) => p.textContent.length > 60);
    const text = best.node ? around(best.node.textContent, best.found) : first?.textContent.slice(0, LONGEST);
    const summary = document.createElement("p");
    summary.classList.add("context");
    summary.textContent = text ?? "";
    return summary;
  };

  // A page is found by its title, its sections, its terms and its words: the best of them stands
  // for it. The rows come worst first.
  const all = Search._performSearch;
  Search._performSearch = (...asked) => {
    const listed = new Set();
    const first = ([page]) => !listed.has(page) && listed.add(page);
    return all(...asked).reverse().filter(first).reverse();
  };
}
