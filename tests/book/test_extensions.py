"""The book's own Sphinx extensions: the addresses, fonts, formulas, style sheets, folds."""

import gc
import math
import re
from base64 import b64encode
from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document
from machine import address, letters, links, mend, site_files
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from sphinx import addnodes
from study import folds
from weight import fonts, light, mathml, unused

from tools.address import Address

ROOT = Path(__file__).parents[2]
EXTENSIONS = ROOT / "book" / "_ext"
FORK = Address("https://github.com/uni-x/attention-2027", "https://uni-x.github.io/attention-2027/")


def test_icons_are_found_in_pages_scripts_and_styles(tmp_path):
    (tmp_path / "_static" / "styles").mkdir(parents=True)
    (tmp_path / "_static" / "scripts").mkdir()
    (tmp_path / "_static" / "styles" / "theme.css").write_text(
        '.fa-sun:before,.fa-star:before{content:"\\f185"}.fa-x:before{content:"\\f00d"}'
        '.fa-no:before{content:"\\f05e"}:root{--pst-icon-bell:"\\f0f3"}',
        encoding="utf-8",
    )
    (tmp_path / "_static" / "scripts" / "theme.js").write_text('add("fa-x")', encoding="utf-8")
    (tmp_path / "index.html").write_text('<i class="fa-solid fa-star"></i>', encoding="utf-8")
    assert fonts.icons(tmp_path) == {0xF185, 0xF00D, 0xF0F3}


# Of ziamath, which leaves a file open while it is imported.
@pytest.mark.filterwarnings("ignore:path is deprecated", "ignore::ResourceWarning")
def test_the_formulas_font_has_their_letters_and_keeps_its_licence(tmp_path):
    from fontTools.ttLib import TTFont

    (tmp_path / "page.html").write_text("<math><mi>α</mi><mi>h</mi></math>", encoding="utf-8")
    site = SimpleNamespace(name="singlehtml", format="html")
    fonts.write(SimpleNamespace(builder=site, outdir=tmp_path), None)
    gc.collect()
    cut = TTFont(tmp_path / "_static" / "maths.woff")
    assert {ord("α"), ord("h"), 0x1D6FC, 0x210E, 0x221A} <= set(cut.getBestCmap())
    assert ord("β") not in cut.getBestCmap()
    assert "Open Font License" in cut["name"].getDebugName(13) and cut["name"].getDebugName(0)
    variants = cut["MATH"].table.MathVariants
    root = variants.VertGlyphCoverage.glyphs.index(cut.getBestCmap()[0x221A])
    heights = variants.VertGlyphConstruction[root].MathGlyphVariantRecord  # of one width
    assert len({cut["hmtx"][h.VariantGlyph][0] for h in heights}) == 1 < len(heights)


@pytest.mark.filterwarnings("ignore:path is deprecated", "ignore::ResourceWarning")
def test_the_text_has_a_face_of_the_pages_letters_that_comes_with_the_style_sheet(tmp_path):
    from fontTools.ttLib import TTFont

    static = tmp_path / "_static"
    (tmp_path / "page.html").write_text("<p>d&eacute;j&agrave; “vu”</p>", encoding="utf-8")
    site = SimpleNamespace(name="singlehtml", format="html")
    fonts.write(SimpleNamespace(builder=site, outdir=tmp_path), None)
    gc.collect()
    for name in fonts.TEXT:
        cut = TTFont(static / "text" / f"{name}.woff2")
        shown = set(map(chr, cut.getBestCmap()))
        assert set("dé jà“vu”") <= shown and "z" not in shown
        assert cut["name"].getDebugName(1) == "Attn Text"
        assert "Open Font License" in cut["name"].getDebugName(13) and cut["name"].getDebugName(0)
    sheet = static / "book.css"
    sheet.write_text('a{src:url("text/italic.woff2")}b{src:url("maths.woff")}', encoding="utf-8")
    moved = light._moved(sheet, tmp_path)
    italic = b64encode((static / "text" / "italic.woff2").read_bytes()).decode()
    assert moved == f"a{{src:url(data:font/woff2;base64,{italic})}}b{{src:url(../maths.woff)}}"


def test_a_formula_becomes_mathml():
    written = mathml.mathml(r"J \sim \arg\max_j \log p(x; y)")
    assert 'alttext="J \\sim \\arg\\max_j \\log p(x; y)"' in written
    assert "<mi>argmax</mi>" in written and "<mo>∼</mo>" in written
    assert '<mo separator="true">;</mo>' in written
    assert '<mi>log</mi><mspace width="0.1667em" /><mi>p</mi>' in written
    aligned = mathml.mathml(r"\begin{aligned} a &= b \\ &= c \end{aligned}", display=True)
    assert aligned.count("<mtr>") == 2 and "text-align: right" in aligned
    assert 'displaystyle="true"' in mathml.mathml(
        r"\begin{gathered} a \end{gathered}", display=True
    )
    for tex, signs in ((r"\exp(-a)", 1), ("b = -a", 1), ("(b) - a", 0), (r"\ldots + a", 0)):
        assert mathml.mathml(tex).count('lspace="0"') == signs, tex
    for tex in (r"\nosuchthing x", "a & b"):
        with pytest.raises(ValueError, match=r"no MathML|does not know"):
            mathml.mathml(tex)


def test_a_mark_after_a_formula_stays_on_its_line():
    formula = nodes.math("", "x")
    line = nodes.paragraph("", "", nodes.Text("See "), formula, nodes.Text(", and so on."))
    app = SimpleNamespace(builder=SimpleNamespace(format="html"))
    mathml.keep_punctuation(app, line, "page")
    assert formula["mark"] == "," and line.astext() == "See x and so on."


def test_a_style_sheet_loses_the_rules_that_no_page_can_match():
    css = """/*! A licence. */ /* a remark */
.used, .lost > p, a:not(.lost) { color: red }
#lost .used { color: blue }
@media print { .lost { margin: 0 } #top { margin: 0 } }
@media screen { .lost { margin: 0 } }
.bs-tooltip-auto, .moved:hover { margin: 0 }
@font-face { font-family: F }
"""
    words = unused.vocabulary(['<p class="used other" id="top">lost</p>'], ['add("moved")'])
    assert unused.trimmed(css, words).replace(" ", "").splitlines() == [
        "/*!Alicence.*/.used,a:not(.lost){color:red}",
        "@mediaprint{#top{margin:0}",
        "}",
        ".bs-tooltip-auto,.moved:hover{margin:0}",
        "@font-face{font-family:F}",
    ]


SCRIPT = """/*! A licence. */
const path = `M${{x}} ${{y.map(z => `L${{z}}  ${{z ? "a  b" : /`  /}}`)}} Z`;{remark}
let a{block}const b = 1
if (path)
{indent}show(path);
"""
HEAD = """<html><head><meta name="viewport" content="a"><meta name="viewport" content="a">
<link rel="stylesheet" href="{up}_static/theme.css?v=1" />
<link rel="stylesheet" href="{up}_static/book.css?v=1" />
</head><body class="attn-turn">{text}</body></html>
"""


def test_every_page_has_one_style_sheet_of_today_however_often_the_book_is_built(tmp_path):
    """Also a page that Sphinx does not write again."""
    (tmp_path / "_static").mkdir()
    (tmp_path / "book").mkdir()
    for name, text in {
        "_static/documentation_options.js": "0",
        "_static/theme.css": "body { margin: 0 }",
        "_static/book.css": ".attn-turn { color: red } .attn-new { color: green }",
        "_static/book.js": SCRIPT.format(
            remark=" // why", block="/* two\n lines */", indent="    "
        ),
        "index.html": HEAD.format(up="", text="index"),
        "book/softmax.html": HEAD.format(up="../", text="softmax"),
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    def shown(name: str) -> str:
        """The text of the one style sheet that a page links, after one more build."""
        builder = SimpleNamespace(name="html")
        light.lighten(SimpleNamespace(outdir=tmp_path, builder=builder), None)
        page = tmp_path / f"{name}.html"
        text = page.read_text(encoding="utf-8")
        assert text.count('<meta name="viewport"') == 1, "or a phone shows it wide and small"
        _, found = text.split('rel="stylesheet" href="')
        return (page.parent / found.partition('"')[0]).read_text(encoding="utf-8")

    assert "red" in shown("index") and "green" not in shown("book/softmax")
    edited = ".attn-turn { color: blue } .attn-new { color: green }"
    (tmp_path / "_static" / "book.css").write_text(edited, encoding="utf-8")
    gained = HEAD.format(up="", text='<p class="attn-new">new</p>')
    (tmp_path / "index.html").write_text(gained, encoding="utf-8")
    sheet = shown("book/softmax")
    assert shown("index") == sheet and "red" not in sheet
    assert all(word in sheet for word in ("blue", "green", "margin"))
    script = (tmp_path / "_static" / "book.js").read_text(encoding="utf-8")
    assert re.sub(r" +\n", "\n", script) == SCRIPT.format(remark="", block="\n", indent="")


def test_every_extension_says_why_no_library_does_it():
    text = (EXTENSIONS / "README.md").read_text(encoding="utf-8")
    cells = [row.split("|") for row in text.splitlines() if row.startswith("| `")]
    assert all(len(reason.split()) >= 4 for _, _, _, reason, _ in cells)
    named = [name for cell in cells for name in re.findall(r"`(\w+/\w+\.py)`", cell[1])]
    files = [path.relative_to(EXTENSIONS).as_posix() for path in EXTENSIONS.glob("*/*.py")]
    assert sorted(named) == sorted(files)


def test_a_sentence_in_a_table_is_named_and_a_label_is_not():
    long, short = (nodes.entry("", nodes.paragraph(text=text)) for text in ("word " * 6, "0.93"))
    mend.name_sentences(None, nodes.row("", long, short), "page")
    assert (long["classes"], short["classes"]) == (["attn-sentence"], [])


def test_a_plot_keeps_its_shape_and_the_corner_of_a_table_heads_nothing():
    body = '<img src="a.png" style="width: 60px; height: 40px;"><th class="head"><p></p></th>'
    context = {"body": body}
    mend.mend(None, "page", "page.html", context, None)
    style = 'style="max-width: 100%; height: auto"'
    assert context["body"] == f'<img src="a.png" width="60" height="40" {style}><td></td>'


def test_a_plot_is_not_shown_narrower_than_its_letters_allow(tmp_path):
    for name, said in {"low": "12.5", "none": "0.0"}.items():
        info = PngInfo()
        info.add_text("letters", said)
        Image.new("L", (1420, 600)).save(tmp_path / f"{name}.png", pnginfo=info)
    Image.new("L", (900, 560)).save(tmp_path / "photo.png")
    names = ("low", "none", "photo")
    files = {f"{name}.png": f"{name}1.png" for name in names}
    app = SimpleNamespace(srcdir=tmp_path, builder=SimpleNamespace(images=files))
    tag = '<img alt="" src="../_images/{}1.png" width="710" height="300" style="'
    context = {"body": "".join(map(tag.format, names))}
    letters.widen(app, "page", "page.html", context, None)
    least = math.ceil(710 * 9 / 12.5) + 12
    expected = [tag.format("low") + f"--least: {least}px; ", *map(tag.format, ("none", "photo"))]
    assert context["body"] == "".join(expected)


def test_each_heading_of_a_table_says_what_it_heads():
    context = {"body": '<th class="head"><p>page</p></th><th class="stub"><p>row</p></th>'}
    mend.mend(None, "page", "page.html", context, None)
    column, row = '<th scope="col" class="head">', '<th scope="row" class="stub">'
    assert context["body"] == f"{column}<p>page</p></th>{row}<p>row</p></th>"


FIGURE, PRINTS = {"figure": True, "prints": True}, {"figure": False, "prints": True}
SILENT = {"figure": False, "prints": False}
MANY = "\n".join(f"def {name}(): 1" for name in "abcde")


@pytest.mark.parametrize(
    ("source", "cell", "title"),
    [
        ("def area(r):\n    return r\n\n\nplt.show()", FIGURE, "Code of this figure"),
        ("import numpy as np\n", SILENT, "Code: imports"),
        ("import math\n\n\ndef one():\n    pass\n\n\nclass Two: 1", PRINTS, "Code: one, Two"),
        (MANY, PRINTS, "Code: a, b, c, d …"),
        ("# the cars\nspeed = [4, 7]\n", SILENT, "Code: speed"),
        ("for i in range(3):\n    print(i)", PRINTS, "Code of this output"),
        ("def one():\n    pass", PRINTS | {"whole": True}, "Code and what it prints"),
    ],
)
def test_a_fold_says_what_is_in_it(source, cell, title):
    assert folds.title(source, **cell) == title


def settings_of(repository: str, site: str = ""):
    """The settings of a build after the extension has seen them."""
    buttons = ("launch_buttons", "use_repository_button", "use_issues_button")
    options = {"repository_url": repository, "repository_branch": "main"}
    options |= dict.fromkeys(buttons, True)
    config = SimpleNamespace(html_theme_options=options, html_baseurl=site)
    config.html_title, config.project = "A book", "a book"
    address.derive(None, config)
    return config


def test_without_an_address_pages_offer_no_buttons_and_no_preview():
    config = settings_of(Address().repository)
    assert not config.html_theme_options.keys() & {"launch_buttons", "use_repository_button"}
    assert config.html_theme_options["repository_url"] == ""
    assert config.ogp_site_url == config.ogp_image == ""


def test_with_an_address_everything_follows(monkeypatch):
    config = settings_of(FORK.repository, FORK.site)
    assert config.html_theme_options["launch_buttons"]
    assert config.ogp_image == "https://uni-x.github.io/attention-2027/_static/preview.png"
    assert (ROOT / "book" / "assets" / "preview.png").exists()
    notebook = "exercises/01_softmax.ipynb"
    there = "https://colab.research.google.com/github/uni-x/attention-2027/blob"
    assert config.attn_address.colab(notebook) == f"{there}/main/{notebook}"
    monkeypatch.setenv("COURSE_LAUNCH", "launch")
    published = settings_of(FORK.repository, FORK.site)
    assert published.attn_address.colab(notebook) == f"{there}/launch/{notebook}"
    assert published.html_theme_options["repository_branch"] == "launch"


def test_a_report_names_the_page_and_its_version():
    url = links.report(FORK, "book/softmax.html", "v2027.1-3-gabc")
    assert url.startswith(f"{FORK.repository}/issues/new?template=page.yml&")
    assert "page=book%2Fsoftmax.html&version=v2027.1-3-gabc" in url
    form = (ROOT / ".github" / "ISSUE_TEMPLATE" / "page.yml").read_text(encoding="utf-8")
    assert {"id: page", "id: version"} <= {line.strip() for line in form.splitlines()}
    lab = Address("https://gitlab.com/uni/x", "")
    assert "/-/issues/new?issue%5Btitle%5D=a.html&" in links.report(lab, "a.html", "v1")


@pytest.mark.parametrize(("site", "root"), [(FORK.site, "/attention-2027/"), ("", "/")])
def test_the_root_of_the_site_has_a_map_a_line_for_each_page_and_a_page_for_none(
    tmp_path, site, root
):
    index, page = new_document(""), new_document("")
    index += [nodes.paragraph(text="A book. Of one page."), addnodes.toctree()]
    index[-1]["entries"], index[-1]["caption"] = [(None, "book/a")], "Start"
    page += nodes.paragraph("", "", nodes.strong(text="Why?"))
    config = SimpleNamespace(
        html_title="A <book>", language="en", html_baseurl=site, root_doc="index"
    )
    titles = {"index": nodes.title(text="A book"), "book/a": nodes.title(text="A page")}
    env = SimpleNamespace(config=config, titles=titles, found_docs=set(titles))
    env.get_doctree = {"index": index, "book/a": page}.get
    builder = SimpleNamespace(name="html", get_target_uri=lambda name: f"{name}.html")
    app = SimpleNamespace(builder=builder, outdir=tmp_path, config=config, env=env)
    site_files.write(app, None)
    texts = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert texts["llms.txt"].startswith("# A <book>\n\n> A book.\n")
    assert texts["llms.txt"].endswith(f"## Start\n\n- [A page]({site}book/a.html): Why?\n")
    assert ("sitemap.xml" in texts) == bool(site)
    assert f"<loc>{site}book/a.html</loc>" in texts.get("sitemap.xml", "<loc>book/a.html</loc>")
    addresses = re.findall(r'(?:href|src|action)="([^"]*)"', texts["404.html"])
    assert addresses == [root + name for name in ("index.html", "search.html", "index.html")]
    assert "A &lt;book&gt;" in texts["404.html"]
