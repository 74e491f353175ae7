// What the pages do beside being read. Without this file they still say everything.
"use strict";

// A page opened from disk may not fetch others, so its search shows titles without excerpts.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}

// What scrolls sideways in its own box must be reachable by keyboard.
{
  const boxes =
    "div.math, span.math, pre, figure, .pst-scrollable-table-container, .output.text_html:has(> .attn-table)";
  const mark = () => {
    // All are measured before the first is marked, or the page would be laid out for each anew.
    const wide = [...document.querySelectorAll(boxes)].filter((b) => b.scrollWidth > b.clientWidth + 1);
    for (const box of wide) box.tabIndex = 0;
  };
  window.addEventListener("load", () => {
    mark();
    // Fonts that arrive later change what fits.
    document.fonts.ready.then(() => requestAnimationFrame(mark));
    window.addEventListener("resize", mark);
  });
}

// Chromium leaves as much room behind a root as its widest sign would need, and other browsers none.
window.addEventListener("load", () =>
  document.fonts.ready.then(() => {
    const behind = (root) => {
      const [outer, inner] = [root, root.lastElementChild].map((e) => e.getBoundingClientRect().right);
      return (outer - inner) / parseFloat(getComputedStyle(root).fontSize);
    };
    const roots = [...document.querySelectorAll("msqrt")].map((root) => [root, behind(root)]);
    for (const [root, room] of roots) root.style.marginInlineEnd = `${-room}em`;
  }),
);

// The theme restores where the sidebar was scrolled to, and the line of this page may lie below it.
window.addEventListener("load", () => {
  const sidebar = document.querySelector(".bd-sidebar-primary");
  const line = sidebar?.querySelector(".bd-docs-nav li.current > a");
  if (!line) return;
  const [bar, own] = [sidebar, line].map((element) => element.getBoundingClientRect());
  if (own.top < bar.top || own.bottom > bar.bottom)
    sidebar.scrollTop += own.top - bar.top - bar.height / 3;
});

// A result that is to be predicted is open in the page, for who has no JavaScript.
for (const result of document.querySelectorAll("details.below-input")) {
  result.open = false;
  result.dataset.ready = "";
}

// Tooltips for terms of the glossary, with the text that levels.js has put there.
// Without them each term is a link to its entry.
{
  let tip = null;
  let owner = null;
  let closing = 0;

  function hide() {
    clearTimeout(closing);
    if (tip) tip.remove();
    if (owner) owner.removeAttribute("aria-describedby");
    tip = owner = null;
  }

  // The pointer may travel from the term to its tooltip without losing it.
  function hideSoon() {
    clearTimeout(closing);
    closing = setTimeout(hide, 250);
  }

  function show(term) {
    clearTimeout(closing);
    if (owner === term || !term.hasAttribute("href") || !term.dataset.tip) return;
    hide();
    owner = term;
    tip = document.createElement("div");
    tip.className = "attn-tip";
    tip.id = "attn-tip";
    tip.setAttribute("role", "tooltip");
    tip.textContent = term.dataset.tip;
    tip.addEventListener("mouseenter", () => clearTimeout(closing));
    tip.addEventListener("mouseleave", hideSoon);
    document.body.append(tip);
    term.setAttribute("aria-describedby", tip.id);
    const word = term.getBoundingClientRect();
    const box = tip.getBoundingClientRect();
    const room = document.documentElement.clientWidth - box.width - 12;
    const above = word.bottom + box.height + 12 > window.innerHeight && word.top > box.height;
    const top = above ? word.top - box.height - 6 : word.bottom + 6;
    tip.style.left = `${window.scrollX + Math.max(12, Math.min(word.left, room))}px`;
    tip.style.top = `${window.scrollY + top}px`;
  }

  for (const term of document.querySelectorAll("a.attn-term[data-tip]")) {
    term.addEventListener("mouseenter", () => show(term));
    term.addEventListener("focus", () => show(term));
    term.addEventListener("mouseleave", hideSoon);
    term.addEventListener("blur", hide);
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
}
