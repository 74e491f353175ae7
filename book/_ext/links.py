"""Addresses that follow from the repository's: the site's own, and those of exercise notebooks.

{exercise}`01_softmax`     links to the student's notebook and opens it in Colab
"""

from pathlib import Path

from docutils import nodes


def site_url(repository: str) -> str:
    """The Pages address of a GitHub repository: https://ORG.github.io/NAME/."""
    owner, name = repository.rstrip("/").split("/")[-2:]
    return f"https://{owner}.github.io/{name}/"


def derive(app, config):
    """Set what the sitemap and the social preview need from the one address in _config.yml."""
    config.html_baseurl = site_url(config.html_theme_options["repository_url"])
    config.ogp_site_url = config.html_baseurl


def exercise_role(name, rawtext, text, lineno, inliner, options=None, content=None):
    """Link to exercises/TEXT.ipynb in the repository and in Colab; a missing file is an error."""
    config = inliner.document.settings.env.app.config
    path = f"exercises/{text}.ipynb"
    if not (Path(inliner.document.settings.env.app.srcdir) / path).exists():
        message = inliner.reporter.error(f"{path} does not exist; run `make release`.", line=lineno)
        return [inliner.problematic(rawtext, rawtext, message)], [message]
    repository = config.html_theme_options["repository_url"]
    branch = config.html_theme_options["repository_branch"]
    owner, repo = repository.rstrip("/").split("/")[-2:]
    page = f"{repository}/blob/{branch}/{path}"
    colab = f"https://colab.research.google.com/github/{owner}/{repo}/blob/{branch}/{path}"
    return [
        nodes.reference("", "", nodes.literal("", path), refuri=page),
        nodes.Text(" ("),
        nodes.reference("", "open in Colab", refuri=colab),
        nodes.Text(")"),
    ], []


def setup(app):
    app.connect("config-inited", derive)
    app.add_role("exercise", exercise_role)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
