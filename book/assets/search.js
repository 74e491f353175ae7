// The search page: one row a page, and as its excerpt the sentence with the word.
"use strict";

{
  const LEFT_OUT = ".headerlink, script, style, nav, .attn-head, .attn-quiz, .attn-still, pre";
  const LONGEST = 240; // characters
  const FEW = 6; // pages that hold every word
  const LACKS = 20; // what a page loses that lacks a word

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

  // What makes a question of words is not looked for: no page must hold "why" or "does".
  const parse = Search._parseQuery;
  Search._parseQuery = (asked) => {
    const telling = asked.split(/\s+/).filter((word) => !Scorer.asking.has(word.toLowerCase().replace(/\W/g, "")));
    return parse(telling.length ? telling.join(" ") : asked);
  };

  // Pages that hold every word, and, where these are few, after them those that hold all but one.
  const all = Search._performSearch;
  const performed = (query, terms, excluded, ...more) => {
    const rows = all(query, terms, excluded, ...more); // the worst first
    if (terms.size < 2 || new Set(rows.map(([page]) => page)).size >= FEW) return rows;
    const fewer = [...terms].flatMap((left) =>
      Search.performTermsSearch(new Set([...terms].filter((word) => word !== left)), excluded));
    for (const row of fewer) row[4] = Scorer.score(row) - LACKS;
    return [...rows, ...fewer].sort((one, other) => one[4] - other[4]);
  };

  // A page is found by its title, its sections, its terms and its words: the best of them stands
  // for it.
  Search._performSearch = (...asked) => {
    const listed = new Set();
    const first = ([page]) => !listed.has(page) && listed.add(page);
    return performed(...asked).reverse().filter(first).reverse();
  };
}
