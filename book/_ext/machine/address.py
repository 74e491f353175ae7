"""The one address: where the repository and its pages are. No library knows ours.

_config.yml holds both, and `make address` writes them into whatever else names them. While the
placeholder stands, pages offer nothing that would lead nowhere: no launch buttons, no links.
"""

import os
import re
from dataclasses import dataclass

PLACEHOLDER = "https://example.org/your-name/attention"
GITHUB = re.compile(r"https://github\.com/([A-Za-z0-9][A-Za-z0-9-]*)/([A-Za-z0-9._-]+)")
# gitlab.com or a university's own; a project may lie in groups within groups.
GITLAB = re.compile(r"https://(?:[\w-]+\.)*gitlab(?:\.[\w-]+)+(?:/[A-Za-z0-9][\w.-]*){2,}")
# Set where the pages are built to be published: the branch whose notebooks install the library at
# the commit of the pages.
LAUNCH = "COURSE_LAUNCH"
# The picture that a chat or a feed shows beside a link.
PREVIEW = "_static/preview.png"
PREVIEW_ALT = "Attention weights: each French word of a translation looks at an English one."


@dataclass(frozen=True)
class Address:
    """A repository and the site of its pages, which ends in a slash; "" where there is none."""

    repository: str = PLACEHOLDER
    site: str = ""
    branch: str = "main"

    @property
    def is_real(self) -> bool:
        return self.on_github or GITLAB.fullmatch(self.repository) is not None

    @property
    def on_github(self) -> bool:
        return GITHUB.fullmatch(self.repository) is not None

    def colab(self, path: str) -> str:
        """Opens a notebook of the repository in Colab."""
        _, _, _, owner, name = self.repository.split("/")
        return f"https://colab.research.google.com/github/{owner}/{name}/blob/{self.branch}/{path}"

    def archive(self, ref: str | None = None) -> str:
        """A zip of the repository, which pip can install: it asks for no git."""
        if not self.is_real:
            return ""
        ref = ref or self.branch
        if self.on_github:
            return f"{self.repository}/archive/{ref}.zip"
        return f"{self.repository}/-/archive/{ref}/{self.repository.rpartition('/')[2]}-{ref}.zip"


def site_url(repository: str) -> str:
    """The Pages address of a repository: https://ORG.github.io/NAME/, likewise on gitlab.com.
    Another GitLab's is "": only it knows."""
    host, owner, name = repository.rstrip("/").removeprefix("https://").split("/", 2)
    if host not in ("github.com", "gitlab.com"):
        return ""
    host = f"{owner.lower()}.{host.removesuffix('.com')}.io"
    return f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"


def of(config) -> Address:
    """The address of the book that is being built, from its settings."""
    return config.attn_address


def derive(app, config):
    """Tell theme and extensions; without an address the theme offers no buttons for it."""
    options = config.html_theme_options
    address = Address(
        options["repository_url"],
        config.html_baseurl,
        os.environ.get(LAUNCH) or options["repository_branch"],
    )
    config.attn_address = address
    options["repository_branch"] = address.branch
    if not address.is_real:
        for name in ("use_repository_button", "use_issues_button", "launch_buttons"):
            options.pop(name, None)
        options["repository_url"] = ""
    if not address.on_github:  # Colab and the theme's Binder open notebooks of GitHub alone
        options.pop("launch_buttons", None)
    config.ogp_site_name = config.html_title or config.project
    config.ogp_site_url = config.html_baseurl
    config.ogp_image = config.html_baseurl and config.html_baseurl + PREVIEW
    config.ogp_image_alt = PREVIEW_ALT


def setup(app):
    app.add_config_value("attn_address", Address(), "env")
    # Before those who ask for it.
    app.connect("config-inited", derive, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
