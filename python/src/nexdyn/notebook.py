"""Films and reports in notebooks: pages of their own in a frame, which need nothing from outside."""

from __future__ import annotations

import base64
import html
from typing import TYPE_CHECKING

from ._engine import find_entry

if TYPE_CHECKING:
    from .simulation import Simulation

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>NexDyn</title><style>
body {{ margin: 0; overflow: hidden; font: 14px system-ui, sans-serif; background: #dfe6ee }}
div {{ display: flex; gap: 8px; align-items: center; padding: 6px 8px }}
input {{ flex: 1 }} output {{ min-width: 5em; text-align: right }} canvas {{ display: block }}
</style></head><body><script type="text/plain" id="film">{film}</script><script type="module">{viewer}</script></body></html>"""


class Film:
    """The next seconds of a simulation as a page that plays them."""

    def __init__(self, page: str, height: int) -> None:
        #: The page, for a file of its own.
        self.html = page
        self._height = height

    def save(self, path: str) -> None:
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        return frame(self.html, self._height)


def show(simulation: Simulation, seconds: float, *, height: int = 420, rate: float = 30) -> Film:
    """A film of the next seconds; the simulation stays as it is."""
    glb = simulation._request({"op": "film", "seconds": float(seconds), "rate": float(rate)})
    with open(find_entry("viewer.js"), encoding="utf-8") as file:
        viewer = file.read().replace("</script", "<\\/script")
    return Film(_PAGE.format(film=base64.b64encode(glb.tobytes()).decode(), viewer=viewer), height)


def frame(page: str, height: int) -> str:
    """HTML of a frame that shows a page."""
    return f'<iframe srcdoc="{html.escape(page)}" style="width:100%;height:{height}px;border:0" title="NexDyn"></iframe>'
