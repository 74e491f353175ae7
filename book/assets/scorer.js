// What the search lists first: pages and terms of the glossary, and the library's names after them.
// Sphinx calls `score` for each result: [page, title, anchor, description, score, file].
var Scorer = {
  score: ([page, , anchor, description, score]) => {
    // A term comes twice, once as an entry of the index, under the name of its page.
    if (anchor.startsWith("#term-") && !description) return score - 1000;
    return score - (page.startsWith("book/api") ? 20 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
