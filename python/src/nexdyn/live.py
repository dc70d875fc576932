"""A live view: a page in the browser that shows a simulation while this program steps it.

A thread serves it on this machine alone: the page, the model once, and then the poses of the bodies as events.
"""

from __future__ import annotations

import json
import sys
import threading
import time
import webbrowser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

from ._engine import find_entry

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>NexDyn</title><link rel="icon" href="data:,"><style>
body { margin: 0; overflow: hidden; font: 14px system-ui, sans-serif; background: #dfe6ee }
div { display: flex; gap: 8px; align-items: center; padding: 6px 8px } canvas { display: block } output { margin-left: auto }
</style></head><body><script type="module" src="live.js"></script></body></html>"""

#: Seconds between two signs of life to a page that waits.
_SIGN_SECONDS = 5.0


class LiveView:
    """A page that follows a simulation.

    Args:
        model: the scene as glTF (a binary file), with a node for each body.
        opens: whether a browser is opened; otherwise the address is only told.
    """

    def __init__(self, model: bytes, *, opens: bool = True) -> None:
        self._changed = threading.Condition()
        self._news = ""
        self._number = 0
        self._is_closed = False
        self._next_frame = 0.0
        with open(find_entry("live.js"), "rb") as file:
            script = file.read()
        self._files = {
            "/": ("text/html; charset=utf-8", _PAGE.encode()),
            "/live.js": ("text/javascript; charset=utf-8", script),
            "/scene.glb": ("model/gltf-binary", model),
        }
        view = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                view._answer(self)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        #: Where the page is.
        self.address = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True, name="nexdyn live view").start()
        print(f"NexDyn: live view at {self.address}", file=sys.stderr)
        if opens:
            # a machine without a browser has the address
            threading.Thread(target=_open_browser, args=(self.address,), daemon=True).start()

    def show(self, seconds: float, position: np.ndarray, orientation: np.ndarray) -> None:
        """Tells the page where the bodies are: positions (m), quaternions w x y z."""
        poses = np.hstack([np.reshape(position, (-1, 3)), np.reshape(orientation, (-1, 4))])
        text = json.dumps({"time": float(seconds), "poses": np.round(poses.reshape(-1), 6).tolist()}, allow_nan=False)
        with self._changed:
            self._news = text
            self._number += 1
            self._changed.notify_all()

    def wait(self, seconds: float) -> None:
        """Waits until so much time has passed since the last frame, so that the simulation is seen at its own pace."""
        now = time.monotonic()
        if self._next_frame > now:
            time.sleep(self._next_frame - now)
        self._next_frame = max(self._next_frame, now - seconds) + seconds

    def close(self) -> None:
        """Ends the page's stream and the server."""
        with self._changed:
            if self._is_closed:
                return
            self._is_closed = True
            self._changed.notify_all()
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        # pages of other sites must not read the simulation by a name that they have pointed here
        if (request.headers.get("Host") or "").split(":")[0] not in ("127.0.0.1", "localhost"):
            request.send_error(403)
        elif request.path == "/poses":
            self._stream(request)
        elif request.path in self._files:
            kind, content = self._files[request.path]
            request.send_response(200)
            request.send_header("Content-Type", kind)
            request.send_header("Content-Length", str(len(content)))
            request.end_headers()
            request.wfile.write(content)
        else:
            request.send_error(404)

    def _stream(self, request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.send_header("Cache-Control", "no-store")
        request.end_headers()
        seen = 0
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._is_closed or self._number != seen, _SIGN_SECONDS)
                    if self._is_closed:
                        return
                    text, is_new, seen = self._news, self._number != seen, self._number
                request.wfile.write(f"data: {text}\n\n".encode() if is_new else b": still here\n\n")
                request.wfile.flush()
        except OSError:
            # the page was closed
            return


def _open_browser(address: str) -> None:
    try:
        webbrowser.open(address)
    except webbrowser.Error:
        pass
