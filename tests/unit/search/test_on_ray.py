"""What a cluster of Ray is asked before a search begins there, with a Ray that is made up."""

import shutil
import sys
from collections import namedtuple
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from rewrite.errors import RewriteWarning, SearchError
from rewrite.search.cluster import on_ray
from rewrite.search.cluster.on_ray import OnRay, ray_module
from rewrite.search.cluster.parts import Hello

Usage = namedtuple("Usage", ["total", "used", "free"])


class MadeUp:
    """As much of Ray as greeting takes: promises are what was promised."""

    exceptions = SimpleNamespace(
        RayActorError=KeyError, RayTaskError=IndexError, RayError=LookupError
    )

    def __init__(self, late: int = 0) -> None:
        self.late = late

    def wait(self, given: list[Any], num_returns: int, timeout: float) -> Any:
        return given[self.late :], given[: self.late]

    def get(self, given: list[Any]) -> list[Any]:
        return given

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 4.0}

    def available_resources(self) -> dict[str, float]:
        return {}


def greeted(ray: MadeUp, *hellos: Hello) -> None:
    parts = OnRay.__new__(OnRay)
    parts._ray, parts.count = ray, len(hellos)
    parts._actors = [
        SimpleNamespace(hello=SimpleNamespace(remote=lambda one=one: one)) for one in hellos
    ]
    parts._greet()


def mine(**changes: Any) -> Hello:
    return attrs.evolve(Hello.mine(), core="", **changes)


def test_those_like_us_are_welcome() -> None:
    greeted(MadeUp(), mine(), mine(where="elsewhere"))


def test_a_machine_without_the_core_is_named() -> None:
    lacking = attrs.evolve(mine(where="the second"), core="native engine: not built")
    with pytest.raises(SearchError, match=r"no core on the second: native engine: not built"):
        greeted(MadeUp(), mine(), lacking)


@pytest.mark.parametrize("other", [{"rewrite": "9.9"}, {"protocol": 0}, {"python": "3.99.0"}])
def test_a_machine_with_other_versions_is_named(other: dict[str, Any]) -> None:
    with pytest.raises(SearchError, match=rf"the second has other.*{next(iter(other.values()))}"):
        greeted(MadeUp(), mine(), mine(where="the second", **other))


def test_a_part_that_gets_no_place_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_ray, "PATIENCE", 0.3)
    with pytest.raises(SearchError, match=r"1 of 2 parts had no place.*the cluster has 4, 0 of"):
        greeted(MadeUp(late=1), mine(), mine())


def test_ray_that_is_not_there_or_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SearchError, match=r"needs Ray: pip install 'rewrite\[ray\]'"):
        ray_module()
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(__version__="2.9.3"))
    with pytest.raises(SearchError, match=r"needs Ray 2\.60 or newer, found 2\.9\.3"):
        ray_module()


def test_too_little_room_is_said_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(100, 96, 4))
    with pytest.warns(RewriteWarning) as told:
        on_ray._look_for_room(1 << 20)
    texts = [str(one.message) for one in told]
    assert any("96 % full" in text for text in texts)
    if on_ray.SHARED.is_dir():
        assert any("--shm-size" in text for text in texts)
