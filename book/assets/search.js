// The search page: one row a page, and as its excerpt the sentence with the word.
"use strict";

{
  const LEFT_OUT = ".headerlink, script, style, nav, .attn-head, .attn-quiz, .attn-still, pre";
  const LONGEST = 240; // characters
  const FEW = 6; // pages that hold every word
  const LACKS = 20; // what a page loses that lacks a word

  /** Where a word begins in a text in small letters, at the beginning of a word; else -1. */
  const starts = (word, lower) => {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
      if (!/[\p{L}\p{N}]/u.test(lower[at - 1] ?? "")) return at;
    }
    return -1;
  };

  /** A passage from one of its places on, cut to LONGEST between words. */
  const cut = (whole, from = 0) => {
    const rest = whole.slice(from).trim();
    if (rest.length <= LONGEST) return rest;
    return `${rest.slice(0, rest.lastIndexOf(" ", LONGEST)).replace(/[,;:]$/, "")} …`;
  };

  /** The sentences of a passage around the first that holds a word. */
  const around = (text, found) => {
    const whole = text.replace(/\s+/g, " ").trim();
    const lower = whole.toLowerCase();
    const at = Math.min(...found.map((word) => starts(word, lower)).filter((i) => i >= 0));
    const start = Math.max(0, lower.lastIndexOf(". ", at) + 1);
    const from = at - start > LONGEST / 2 ? whole.indexOf(" ", at - 60) : start;
    return `${from > start ? "… " : ""}${cut(whole, from)}`;
  };

  Search.makeSearchSummary = (page, terms, anchor) => {
    const parsed = new DOMParser().parseFromString(page, "text/html");
    const article = parsed.querySelector(".bd-article, [role=main]");
    if (!article) return null;
    const within = (anchor && parsed.querySelector(anchor)) || article;
    for (const node of within.querySelectorAll(LEFT_OUT)) node.remove();
    const words = [...terms].map((word) => word.toLowerCase());
    const count = (node) => words.filter((word) => starts(word, node.textContent.toLowerCase()) >= 0);
    let best = { found: [] };
    for (const node of within.querySelectorAll("p, li, dd, td, figcaption")) {
      const found = count(node);
      if (found.length > best.found.length) best = { node, found };
      if (found.length === words.length) break;
    }
    const first = [...within.querySelectorAll("p")].find((p) => p.textContent.length > 60);
    const lead = first?.textContent.replace(/\s+/g, " ").trim();
    const text = best.node ? around(best.node.textContent, best.found) : lead && cut(lead);
    const summary = document.createElement("p");
    summary.classList.add("context");
    summary.textContent = text ?? "";
    return summary;
  };

  // How many letters are added, lost, changed or in each other's place, up to `most`.
  const apart = (one, other, most) => {
    if (Math.abs(one.length - other.length) > most) return most + 1;
    const rows = [Array.from({ length: other.length + 1 }, (_, j) => j)];
    for (let i = 1; i <= one.length; i++) {
      rows.push([i]);
      for (let j = 1; j <= other.length; j++) {
        const same = one[i - 1] === other[j - 1];
        const ways = [rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + !same];
        const swapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
        if (i > 1 && j > 1 && swapped) ways.push(rows[i - 2][j - 2] + 1);
        rows[i].push(Math.min(...ways));
      }
    }
    return rows[one.length][other.length];
  };

  // How often each word stands in a title or in a phrase that pages are found by.
  let vocabulary = null;
  const known = () => {
    if (vocabulary) return vocabulary;
    vocabulary = new Map();
    const phrases = Object.values(globalThis.attnPhrases ?? {}).flat();
    for (const text of [...Search._index.titles, ...phrases]) {
      for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
        vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1);
      }
    }
    return vocabulary;
  };

  /** A word that no page has is read as the nearest that one is called by, else as it stands. */
  const meant = (word) => {
    const lower = word.toLowerCase();
    const stem = new Stemmer().stemWord(lower);
    const { terms, titleterms } = Search._index;
    const there = [terms, titleterms].some((all) => Object.keys(all).some((term) => term.startsWith(stem)));
    if (there || !/^\p{L}{4,}$/u.test(word) || known().has(lower)) return word;
    const most = lower.length < 6 ? 1 : 2;
    const near = [...known()].map(([one, count]) => [apart(lower, one, most), -count, one]);
    const [best] = near.sort(([a, b], [c, d]) => a - c || b - d);
    return best?.[0] <= most ? best[2] : word;
  };

  // What is looked for in the place of what was typed stands above the list.
  const tell = (asked, read) => {
    document.querySelector(".attn-meant")?.remove();
    if (asked === read) return;
    const said = document.createElement("p");
    said.className = "attn-meant";
    said.setAttribute("role", "status");
    const values = { asked, read };
    said.textContent = globalThis.attn._("No page has “{asked}”. Shown is what was found for “{read}”.", values);
    document.getElementById("search-results")?.before(said);
  };

  // What makes a question of words is not looked for: no page must hold "why" or "does".
  const parse = Search._parseQuery;
  Search._parseQuery = (asked) => {
    const read = asked.split(/\s+/).map(meant).join(" ");
    tell(asked.trim(), read.trim());
    Scorer.asked = read;
    const telling = read.split(/\s+/).filter((word) => !Scorer.asking.has(word.toLowerCase().replace(/\W/g, "")));
    return parse(telling.length ? telling.join(" ") : read);
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
