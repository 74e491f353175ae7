// The reading level: which terms are marked, what their tooltips say, which asides are open.
// Without this file every term is a link and every aside is open.
"use strict";
{
  const LEVELS = ["beginner", "practitioner", "expert"];
  const texts = JSON.parse(document.getElementById("attn-terms")?.textContent ?? "{}");
  const select = document.getElementById("attn-level");
  const asides = document.querySelectorAll("details.attn-aside");

  // A term that the reader knows is plain text; the list of key terms stays a list of links.
  const marks = [...document.querySelectorAll("a.attn-term")].map((link) => {
    const heading = link.closest("section")?.querySelector("h2")?.textContent ?? "";
    return { link, href: link.getAttribute("href"), always: heading.startsWith(window.attn._("Key terms")) };
  });

  function read() {
    const level = window.attn.get("level");
    return LEVELS.includes(level) ? level : LEVELS[0];
  }

  function show() {
    const level = read();
    document.documentElement.dataset.level = level;
    if (select) select.value = level;
    for (const { link, href, always } of marks) {
      const entry = texts[link.dataset.term];
      link.dataset.tip = entry?.[level] ?? "";
      if (always || LEVELS.indexOf(entry?.marked) >= LEVELS.indexOf(level)) link.href = href;
      else link.removeAttribute("href");
    }
  }

  // Only a change of level moves folds: what the reader opened by hand stays open.
  function fold() {
    for (const aside of asides) aside.open = aside.dataset.levels.split(" ").includes(read());
    const aimed = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (aimed) for (let up = aimed; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
  }

  show();
  fold();
  // On each of them: on the root it would cost a restyle of the whole page.
  for (const aside of asides) aside.dataset.folded = "";
  window.attn.onChange(show);
  select?.addEventListener("change", () => {
    window.attn.put("level", select.value);
    fold();
  });

  // On paper nothing is folded.
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("article details:not([open])")];
    for (const details of closed) details.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
  });
}
