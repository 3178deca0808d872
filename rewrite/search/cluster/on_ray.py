"""Parts in Ray actors: on this machine, or on those of the cluster that Python has joined.

Parcels are return values of actors and pass between them directly. Ray's own retries are off: the
states of an actor exist nowhere else.
"""

from __future__ import annotations

import os
import shutil
import signal
import threading
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rewrite.budget import BETWEEN_LOOKS, tick
from rewrite.errors import SearchError, warn
from rewrite.search.cluster.parts import Hello, Lost, Part, Parts, Work

NAME = "ray"
SAID = f"engine={NAME!r}"
LEAST = (2, 60)
"""Older versions may wait forever for a result from a lost machine."""
INSTALL = "pip install 'rewrite[ray]'"
PATIENCE = 60.0
"""Seconds within which a part must be scheduled."""
TURN = 0.1
"""Seconds between two checks for Ctrl-C while parts work."""
STORE, STORE_A_PART = 256 << 20, 128 << 20
"""Bytes of the object store of a Ray started here, and extra bytes per part."""
OURS = "rewrite"
"""A resource that only a Ray started here has."""
SHARED = Path("/dev/shm")
ALMOST_FULL = 0.95
"""Disk usage above which Ray stores nothing more."""
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # no telemetry
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",  # workers run in this environment, as it is
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}


def ray_module() -> Any:
    """Return the module `ray`. Raises SearchError if it is not available."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError as error:
        raise SearchError(f"{SAID} needs Ray: {INSTALL} ({error})") from error
    found = tuple(int(part) for part in ray.__version__.split(".")[:2])
    if found < LEAST:
        least = ".".join(map(str, LEAST))
        raise SearchError(
            f"{SAID} needs Ray {least} or newer, found {ray.__version__}: {INSTALL} --upgrade"
        )
    return ray


def partitions_for(given: int | None) -> int:
    ray = ray_module()
    if given is not None:
        return given
    if ray.is_initialized():
        return max(1, int(ray.cluster_resources().get("CPU", 1)))
    return os.cpu_count() or 1


class _Actor:
    """A part on some machine. It identifies itself before it is set up."""

    def hello(self) -> Hello:
        return Hello.mine()

    def begin(self, work: Work, me: int) -> str:
        self.part = Part(work, me)
        return self.part.program_digest()

    def expand(self, at: int, most: int) -> tuple[Any, ...]:
        following, parcels = self.part.expand(at, most)
        return (following, *parcels)

    def deliver(self, sources: Sequence[int], *parcels: bytes) -> Any:
        return self.part.deliver(sources, parcels)

    def ask(self, what: Callable[..., Any], *args: Any) -> Any:
        return what(self.part, *args)


class OnRay(Parts):
    """All parts, in actors."""

    name = NAME

    def __init__(self, work: Work) -> None:
        ray = self._ray = ray_module()
        self.count = work.parts
        if not ray.is_initialized():
            _start_here(ray, work.parts)
        sent = self._sent(work)
        # on a cluster each has its own processor; here all the requested ones run
        processors = 0 if OURS in ray.cluster_resources() else 1
        remote = ray.remote(
            num_cpus=processors, max_restarts=0, max_task_retries=0, scheduling_strategy="SPREAD"
        )(_Actor)
        self._actors = [remote.remote() for _ in range(work.parts)]
        # a search that is garbage-collected must release its actors
        self._finish = weakref.finalize(self, _kill, ray, self._actors)
        try:
            self._greet()
            programs = self.got([
                actor.begin.remote(sent, me) for me, actor in enumerate(self._actors)
            ])  # fmt: skip
        except BaseException:
            self.end()
            raise
        if len(set(programs)) > 1:
            raise SearchError(
                f"{SAID}: {work.puzzle.name} is compiled to different programs on the machines of "
                "the cluster, though all say that they have the same versions. Install the same "
                "files everywhere"
            )

    def _sent(self, work: Work) -> Any:
        """Return a reference to the work for calls to actors. Raises SearchError."""
        try:
            return self._ray.put(work)
        except Exception as error:  # whatever pickling a user's class or function raises
            raise SearchError(
                f"{SAID} sends {work.puzzle.name} to other processes: {_first_line(error)}"
            ) from error

    def _greet(self) -> None:
        """Wait until every actor is scheduled, and check that all versions match."""
        ray, mine = self._ray, Hello.mine()
        said = [actor.hello.remote() for actor in self._actors]
        waiting, waited = said, 0.0
        while waiting and waited < PATIENCE:
            _, waiting = ray.wait(waiting, num_returns=len(waiting), timeout=TURN)
            waited += TURN
            tick(BETWEEN_LOOKS)
        if waiting:
            processors = ray.cluster_resources().get("CPU", 0)
            raise SearchError(
                f"{SAID}: {len(waiting)} of {self.count} parts had no place after {PATIENCE:.0f} "
                f"seconds. Each needs a processor of its own; the cluster has {processors:.0f}, "
                f"{ray.available_resources().get('CPU', 0):.0f} of them free. Give a smaller "
                "partitions=, or add machines"
            )
        for hello in self.got(said):
            if hello.core:
                raise SearchError(f"{SAID}: there is no core on {hello.where}: {hello.core}")
            if hello.versions != mine.versions:
                raise SearchError(
                    f"{SAID}: {hello.where} has other versions: {_versions(hello)}; here are "
                    f"{_versions(mine)}. Install the same everywhere"
                )

    def expand(self, part: int, at: int, most: int) -> tuple[Any, Sequence[Any]]:
        method = self._actors[part].expand.options(num_returns=1 + self.count)
        following, *parcels = method.remote(at, most)
        return following, parcels

    def deliver(self, part: int, sources: Sequence[int], parcels: Sequence[Any]) -> Any:
        return self._actors[part].deliver.remote(list(sources), *parcels)

    def ask(self, part: int, what: Callable[..., Any], *args: Any) -> Any:
        return self._actors[part].ask.remote(what, *args)

    def got(self, wanted: Sequence[Any]) -> list[Any]:
        ray, waiting = self._ray, list(wanted)
        try:
            while waiting:
                _, waiting = ray.wait(waiting, num_returns=len(waiting), timeout=TURN)
            found: list[Any] = ray.get(list(wanted))
        except ray.exceptions.RayActorError as error:
            raise Lost(_first_line(error)) from error
        except ray.exceptions.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, ray.exceptions.RayError):  # its input was lost
                raise Lost(_first_line(cause)) from error
            raise cause if isinstance(cause, Exception) else error from None
        except ray.exceptions.RayError as error:
            raise Lost(_first_line(error)) from error
        return found

    def end(self) -> None:
        self._finish()


def _versions(hello: Hello) -> str:
    return f"rewrite {hello.rewrite}, protocol {hello.protocol}, Python {hello.python}"


def _first_line(error: Exception) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__


def _kill(ray: Any, actors: list[Any]) -> None:
    if ray.is_initialized():
        for actor in actors:
            ray.kill(actor)


def _start_here(ray: Any, parts: int) -> None:
    store = STORE + STORE_A_PART * parts
    _look_for_room(store)
    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM) if main else None
    try:
        ray.init(
            address="local", num_cpus=parts, resources={OURS: 1}, object_store_memory=store,
            include_dashboard=False, log_to_driver=False, logging_level="ERROR",
            configure_logging=False,
        )  # fmt: skip
    except Exception as error:
        raise SearchError(f"{SAID}: Ray does not start here: {_first_line(error)}") from error
    finally:
        if main:  # Ray's own handler would end a checkpointed search without saving it
            signal.signal(signal.SIGTERM, before)


def _look_for_room(store: int) -> None:
    if SHARED.is_dir() and (free := shutil.disk_usage(SHARED).free) < store:
        warn(
            f"{SAID}: {SHARED} has {free >> 20} MiB free, and Ray's object store takes "
            f"{store >> 20}: it will use files instead, which is slow. In a container give "
            "--shm-size"
        )
    temporary = Path(os.environ.get("RAY_TMPDIR") or os.environ.get("TMPDIR") or "/tmp")
    if temporary.is_dir():
        used = shutil.disk_usage(temporary)
        if used.used / used.total >= ALMOST_FULL:
            warn(
                f"{SAID}: the disk of {temporary} is {100 * used.used // used.total} % full; from "
                f"{100 * ALMOST_FULL:.0f} % on Ray keeps nothing on it, and a search that needs "
                "room there ends. Set RAY_TMPDIR to another disk"
            )
