"""The picture that a chat or a feed shows beside a link: the title and some attention weights."""

from pathlib import Path

NAME = "_static/preview.png"
WORDS = ["the", "cat", "sat"], ["le", "chat", "était assis"]
WEIGHTS = [[0.6, 0.3, 0.1], [0.1, 0.8, 0.1], [0.1, 0.2, 0.7]]
ALT = "Attention weights of “the cat sat” and “le chat était assis”: heaviest on the diagonal."


def derive(app, config):
    """Tell the pages' metadata its address and the site's name."""
    config.ogp_site_name = config.html_title or config.project
    config.ogp_image = config.html_baseurl and config.html_baseurl + NAME
    config.ogp_image_alt = ALT


def draw(app, exception):
    """Write the picture, 1200 by 630; nothing when the build failed or is not the site."""
    if exception is not None or app.builder.name != "html":
        return
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 6.3), dpi=100, facecolor="white")
    title = (app.config.html_title or app.config.project).replace(", ", ",\n")
    figure.text(0.06, 0.5, title, fontsize=40, weight="bold", color="#1f2430", va="center")
    axes = figure.add_axes((0.6, 0.12, 0.34, 0.7))
    axes.imshow(WEIGHTS, cmap="Blues", vmin=0, vmax=1.3)
    for row, weights in enumerate(WEIGHTS):
        for column, weight in enumerate(weights):
            axes.text(column, row, weight, fontsize=26, ha="center", va="center", color="#1f2430")
    axes.set_xticks(range(3), WORDS[0], fontsize=22)
    axes.set_yticks(range(3), WORDS[1], fontsize=22)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    target = Path(app.outdir) / NAME
    target.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(target)


def setup(app):
    # After links.py, which knows the site's address.
    app.connect("config-inited", derive, priority=900)
    app.connect("build-finished", draw)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
