"""What axe finds wrong on an open page, in light and in dark."""

from pathlib import Path

import pytest

# Contrast takes axe most of its time, and a page repeats a few kinds of text: of each, the first is
# measured. A kind is a font, and the colours of the element and of all that it stands in.
# No preload: it would fetch style sheets again, by addresses of its own.
AXE = """async ([where, mode]) => {
    const known = new Map();
    const coloursOf = node => {
        if (!node) return '';
        if (!known.has(node)) {
            const { color, backgroundColor, backgroundImage, opacity, position, fill }
                = getComputedStyle(node);
            const own = [color, backgroundColor, backgroundImage, opacity, position, fill].join();
            const around = coloursOf(node.parentElement);
            known.set(node, around.endsWith(own) ? around : `${around} / ${own}`);
        }
        return known.get(node);
    };
    const kinds = new Map();
    for (const node of document.querySelectorAll(`:is(${where}) *`)) {
        const speaks = [...node.childNodes].some(part => part.nodeType === 3 && part.data.trim());
        if (!speaks || !node.checkVisibility()) continue;
        const { fontSize, fontWeight, textDecorationLine } = getComputedStyle(node);
        const kind = [node.tagName, fontSize, fontWeight, textDecorationLine, coloursOf(node)];
        if (!kinds.has(kind.join())) kinds.set(kind.join(), node.closest('a') ?? node);
    }
    const colours = ['color-contrast', 'link-in-text-block'];
    const run = (context, rules) =>
        axe.run(context, {resultTypes: ['violations'], preload: false, ...rules});
    const off = Object.fromEntries(colours.map(name => [name, {enabled: false}]));
    const found = await run({include: [...kinds.values()]}, {runOnly: colours});
    const others = mode === 'light' ? await run(where, {rules: off}) : {violations: []};
    return [...found.violations, ...others.violations].flatMap(({id, help, nodes}) => nodes.map(
        ({target, html}) => `${mode}, ${id}: ${help} at ${target} ${html.slice(0, 160)}`));
}"""


def axe_finds(page, where: str = ":root") -> list[str]:
    """The faults of what a selector names; light and dark differ in their colours alone."""
    package = pytest.importorskip("axe_playwright_python")
    # A colour half-way through its transition would be measured.
    page.add_style_tag(content="* { transition: none !important; }")
    page.add_script_tag(path=str(Path(package.__file__).parent / "axe.min.js"))
    found = []
    for mode in ("light", "dark"):
        page.emulate_media(color_scheme=mode)
        page.wait_for_function(f"() => document.documentElement.dataset.theme === '{mode}'")
        found += page.evaluate(AXE, [where, mode])
    return found
