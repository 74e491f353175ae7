"""What axe finds wrong on an open page, in light and in dark."""

from pathlib import Path

import pytest

# Contrast takes axe most of its time, and the book repeats a few kinds of text: of each, the first
# is measured, and on every page again until axe has said that it is good. A kind is what contrast
# hangs on: is the text large, the colours of the element and of all that it stands in up to a
# ground that hides the rest, and for a link those of its sentence. What may lie over something else
# is not known by its kind alone (""): it is measured on every page. Of one letter, and
# of what only a screen reader has, axe says nothing.
KINDS = """where => {
    const known = new Map();
    const isGround = ({ backgroundColor, backgroundImage }) =>
        backgroundColor.startsWith('rgb(') && backgroundImage === 'none';
    const opacities = node => node
        ? getComputedStyle(node).opacity.replace(/^1$/, '') + opacities(node.parentElement) : '';
    const coloursOf = node => {
        if (!node) return '';
        if (!known.has(node)) {
            const style = getComputedStyle(node);
            const { color, backgroundColor, backgroundImage, opacity, position, fill } = style;
            const own = [color, backgroundColor, backgroundImage, opacity, position, fill].join();
            const above = node.parentElement;
            const around = isGround(style) ? `on ${opacities(above)}` : coloursOf(above);
            known.set(node, around.endsWith(own) ? around : `${around} / ${own}`);
        }
        return known.get(node);
    };
    const sentence = node => {
        const { color, display, textDecorationLine } = node ? getComputedStyle(node) : {};
        const own = `${color} ${textDecorationLine}`;
        return display === 'inline' ? own + sentence(node.parentElement) : own;
    };
    const isKnown = node => {
        for (; node; node = node.parentElement) {
            const { backgroundColor, backgroundImage, position } = getComputedStyle(node);
            if (backgroundImage.includes('url(')) return false;
            if (backgroundColor.startsWith('rgb(')) return true;
            if (position === 'absolute' || position === 'fixed') return false;
        }
        return true;
    };
    const kinds = new Map();
    for (const node of document.querySelectorAll(`:is(${where}) *`)) {
        const texts = [...node.childNodes].filter(part => part.nodeType === 3);
        if (texts.map(part => part.data).join('').trim().length < 2) continue;
        if (!node.checkVisibility() || node.getBoundingClientRect().width <= 1) continue;
        const { fontSize, fontWeight } = getComputedStyle(node);
        const points = Math.ceil(parseFloat(fontSize) * 72) / 96;
        const large = points >= (fontWeight >= 700 ? 14 : 18);
        const control = node.closest(':disabled, [aria-disabled=true], label')?.tagName;
        const link = node.closest('a');
        const kind = [large, control, coloursOf(node), link ? sentence(link) : ''].join();
        if (!kinds.has(kind)) kinds.set(kind, node);
    }
    axe.texts = [...kinds.values()];
    return [...kinds].map(([kind, node]) => isKnown(node) ? kind : '');
}"""
FAULTS = """
    const faults = ({violations}) => violations.flatMap(({id, help, nodes}) => nodes.map(
        ({target, html}) => `${mode}, ${id}: ${help} at ${target} ${html.slice(0, 160)}`));
    const colours = ['color-contrast', 'link-in-text-block'];"""
# No preload: it would fetch style sheets again, by addresses of its own.
COLOURS = f"""async ([mode, numbers]) => {{{FAULTS}
    const found = await axe.run(
        {{include: numbers.map(i => axe.texts[i].closest('a') ?? axe.texts[i])}},
        {{runOnly: colours, preload: false, elementRef: true}});
    // Wherever it stands, axe says no more of what has a gradient behind it or a drawing around it.
    const still = ({{any}}) => any.every(({{data}}) => /Gradient|imgNode/.test(data?.messageKey));
    const told = of => of.filter(({{id}}) => id === colours[0]).flatMap(({{nodes}}) => nodes);
    const settled = [...told(found.passes), ...told(found.incomplete).filter(still)];
    const elements = new Set(settled.map(({{element}}) => element));
    return [faults(found), numbers.filter(i => elements.has(axe.texts[i]))];
}}"""
OTHERS = f"""async ([mode, where]) => {{{FAULTS}
    const rules = Object.fromEntries(colours.map(name => [name, {{enabled: false}}]));
    return faults(await axe.run(where, {{rules, resultTypes: ['violations'], preload: false}}));
}}"""
GOOD: set[str] = set()  # kinds that axe has called good in this process


def axe_finds(page, where: str = ":root") -> list[str]:
    """The faults of what a selector names; light and dark differ in their colours alone."""
    package = pytest.importorskip("axe_playwright_python")
    # A colour half-way through its transition would be measured.
    page.add_style_tag(content="* { transition: none !important; }")
    # As an expression it is compiled once, and not again for every page.
    page.evaluate((Path(package.__file__).parent / "axe.min.js").read_text("utf-8") + "; null")
    found = []
    for mode in ("light", "dark"):
        page.emulate_media(color_scheme=mode)
        page.wait_for_function(f"() => document.documentElement.dataset.theme === '{mode}'")
        found += badly_coloured(page, where, mode)
        if mode == "light":
            found += page.evaluate(OTHERS, [mode, where])
    return found


def badly_coloured(page, where: str, mode: str) -> list[str]:
    """The faults of the kinds of text that are not known to be good."""
    kinds = page.evaluate(KINDS, where)
    new = [i for i, kind in enumerate(kinds) if kind not in GOOD]
    found, settled = page.evaluate(COLOURS, [mode, new]) if new else ([], [])
    if not found:
        GOOD.update(kinds[i] for i in settled if kinds[i])
    return found
