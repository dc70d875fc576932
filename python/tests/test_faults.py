"""What goes wrong around the engine: each is an exception that says what to do, and nothing hangs."""

import multiprocessing
import os
import signal
import stat
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import nexdyn
from nexdyn import _engine

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")


def start_python(program: str) -> subprocess.Popen:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


def is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_killed_engine_is_an_exception_and_starts_anew(pendulum):
    sim = nexdyn.load(pendulum)
    _engine.get_engine()._process.send_signal(signal.SIGKILL)
    with pytest.raises(nexdyn.EngineError, match="ended"):
        sim.step()
    again = nexdyn.load(pendulum)
    assert again.step().status == "converged"
    with pytest.raises(nexdyn.EngineError, match="load it again"):
        sim.step()


def test_no_orphan_when_python_is_killed():
    # the middle of a long call: the child cannot see the end of its input
    parent = start_python(
        """
        import nexdyn, threading
        from nexdyn import _engine
        sim = nexdyn.load('pendulum')
        print(_engine.get_engine()._process.pid, flush=True)
        sim.step(10**9)
        """
    )
    child = int(parent.stdout.readline())
    time.sleep(0.3)
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 30
    while is_alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(child)


def test_an_interrupt_ends_a_long_call_and_keeps_the_simulation():
    program = start_python(
        """
        import nexdyn
        sim = nexdyn.load('pendulum')
        print('ready', flush=True)
        try:
            sim.step(10**9)
        except KeyboardInterrupt:
            sim.step()
            print('interrupted', sim.time > 0, flush=True)
        """
    )
    assert program.stdout.readline().strip() == "ready"
    time.sleep(0.5)
    program.send_signal(signal.SIGINT)
    out, error = program.communicate(timeout=60)
    assert out.strip() == "interrupted True", error


def _count_in_child(queue):
    sim = nexdyn.load("pendulum")
    sim.step(10)
    queue.put(sim.hash())


def test_a_fork_has_an_engine_of_its_own():
    sim = nexdyn.load("pendulum")
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=_count_in_child, args=(queue,))
    child.start()
    child.join(60)
    sim.step(10)
    assert queue.get() == sim.hash()


def test_threads_share_the_engine(pendulum):
    hashes = {}

    def run(name):
        sim = nexdyn.load(pendulum)
        for _ in range(50):
            sim.step()
        hashes[name] = sim.hash()

    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(hashes) == 4 and len(set(hashes.values())) == 1


def test_wrong_types_and_shapes_are_errors(pendulum):
    sim = nexdyn.load(pendulum)
    with pytest.raises((ValueError, TypeError)):
        sim.q = [1, 2, 3]
    with pytest.raises(nexdyn.NexdynError):
        sim.restore(np.zeros(3))
    with pytest.raises(nexdyn.NexdynError, match="cannot be used"):
        sim._call("setControl", np.array(["a"]), 1)
    with pytest.raises(nexdyn.NexdynError, match="controls"):
        nexdyn.simulate_batch(pendulum, 2, 5, controls=np.zeros((3, 1, 1)))
    assert sim.step().status == "converged"


def test_a_huge_array_is_refused_before_it_is_sent(pendulum):
    sim = nexdyn.load(pendulum)
    # two gigabytes that nobody has touched take no memory
    with pytest.raises(nexdyn.NexdynError) as caught:
        sim.restore(np.zeros(1 << 28))
    assert caught.value.code == "too-large"
    assert sim.step().status == "converged"


def test_an_old_node_is_named(tmp_path, monkeypatch):
    old = tmp_path / "node"
    old.write_text("#!/bin/sh\nif [ \"$1\" = --version ]; then echo v18.3.0; else exit 1; fi\n")
    old.chmod(old.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("NEXDYN_NODE", str(old))
    with pytest.raises(nexdyn.EngineError, match=r"needs Node 20\.19 or newer; .* is v18\.3\.0"):
        _engine.Engine()


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="processor time of another process")
def test_an_engine_that_waits_takes_no_processor_time(pendulum):
    sim = nexdyn.load(pendulum)
    for _ in range(200):
        sim.step()
    ticks = _read_ticks(sim._engine._process.pid)
    own = time.process_time()
    time.sleep(1)
    # of a second; the thread that watches the parent looks twice
    assert _read_ticks(sim._engine._process.pid) - ticks <= os.sysconf("SC_CLK_TCK") // 10
    assert time.process_time() - own < 0.1


def _read_ticks(pid: int) -> int:
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])
