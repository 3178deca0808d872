"""What tests do with a page of `rewrite play`."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect


def opened(watched: Any, link: str) -> Any:
    """A tab with the game of a link, when it is there."""
    page = watched.page()
    page.goto(link)
    expect(page.locator("#board svg").first).to_be_visible()
    expect(page.locator("#status")).not_to_be_empty()
    return page


def press(page: Any, key: str, status: str) -> None:
    """Press a key, and expect that the status contains this text."""
    page.keyboard.press(key)
    expect(page.locator("#status")).to_contain_text(status)


def off(page: Any, name: str) -> Any:
    """Expect that a button is off, and return it."""
    button = page.get_by_role("button", name=name, exact=True)
    expect(button).to_have_attribute("aria-disabled", "true")
    return button


def pressed(page: Any, *keys: str) -> None:
    """Press keys on the board, as quickly as they come."""
    page.locator("#board").focus()
    for key in keys:
        page.keyboard.press(key)


def holding(page: Any) -> Callable[[], None]:
    """Hold questions for positions back, until what is returned is called."""
    held: list[Any] = []
    free = False

    def hold(route: Any) -> None:
        if free:
            route.continue_()
        else:
            held.append(route)

    def let_go() -> None:
        nonlocal free
        free = True
        for route in held:
            route.continue_()

    page.route("**/api/position", hold)
    return let_go
