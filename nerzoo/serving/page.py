import base64
import hashlib
import re
from importlib.resources import files
from typing import Tuple

from nerzoo.drawing.svg import STYLE


def page() -> Tuple[str, str]:
    """
    Returns the page on which texts are tried, and its policy: a browser runs the script and the styles that are in it,
    and those of drawings, by their hashes, and nothing else, and asks nobody but its server.
    """
    html = (files("nerzoo.serving") / "page.html").read_text(encoding="utf-8")
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)} {_hash(STYLE)}; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return html, policy


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
