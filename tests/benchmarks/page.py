"""`python -m tests.benchmarks.page`: how long the page of `rewrite play` takes, in Chromium.

Milliseconds from the click on a move to the painted position, over fifteen random moves of each
puzzle of the gallery; and from the first click on Hint to its text, with what the search alone
takes. The browser runs on the same machine.
"""

import random
import statistics
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import click
from playwright.sync_api import sync_playwright

from puzzles import PUZZLES
from rewrite import RewriteWarning, search
from tests.benchmarks.report import machine, show
from tests.contract.test_crew import serving

CHROMIUM = "/usr/bin/chromium"
HEAD = ("puzzle", "click to painted, median", "at most", "hint, cold", "search alone")
MOVES, PAUSE = 15, 0.2
UNTIL = """const until = async (done) => {
  while (!done()) await new Promise((go) => setTimeout(go, 1));
};"""
MOVE = f"""async (at) => {{
  {UNTIL}
  const buttons = document.querySelectorAll("#moves button");
  if (!buttons.length) return null;
  const [before, began] = [document.querySelector("#board svg"), performance.now()];
  buttons[at % buttons.length].click();
  await until(() => document.querySelector("#board svg") !== before);
  await new Promise((go) => requestAnimationFrame(() => setTimeout(go, 0)));
  return performance.now() - began;
}}"""
HINT = f"""async () => {{
  {UNTIL}
  const began = performance.now();
  document.querySelector("[data-do=hint]").click();
  await until(() => document.querySelector("#note").textContent.startsWith("Hint:"));
  return performance.now() - began;
}}"""


def alone(name: str) -> float:
    """The milliseconds of a search as the page asks for it, compiling and reading its path too."""
    puzzle = PUZZLES[name]()
    began = time.perf_counter()
    found = search(puzzle, max_seconds=60)
    assert found.path is not None
    assert len(found.path.labels) == len(found.path)
    return 1000 * (time.perf_counter() - began)


def line(page: Any, name: str) -> list[str]:
    page.wait_for_selector("#board svg")
    time.sleep(3)  # the process for the next puzzle starts
    chance, took = random.Random(28), list[float]()
    for _ in range(MOVES):
        time.sleep(PAUSE)  # as a player would
        if (one := page.evaluate(MOVE, chance.randrange(1_000))) is None:
            break
        took.append(one)
    page.locator("[data-do=restart]").click()
    page.locator("#status", has_text="0 steps").wait_for()
    hint = page.evaluate(HINT)
    figures = [statistics.median(took), max(took), hint, alone(name)]
    return [name, *(f"{figure:,.0f} ms" for figure in figures)]


@click.command(help=__doc__)
@click.option("--puzzle", "names", type=click.Choice(list(PUZZLES)), multiple=True)
def main(names: tuple[str, ...]) -> None:
    warnings.simplefilter("ignore", RewriteWarning)
    lines = []
    with (
        tempfile.TemporaryDirectory() as home,
        serving(Path(home), "sokoban") as served,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=CHROMIUM)
        for name in names or PUZZLES:
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.goto(f"http://127.0.0.1:{served.port}/#t={served.token}&p={name}")
            lines.append(line(page, name))
            click.echo("  ".join(lines[-1]), err=True)
            page.close()
        browser.close()
    show([(HEAD, lines)], [machine()])


if __name__ == "__main__":
    main()
