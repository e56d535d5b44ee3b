"""A person at the keyboard alone: goes on by Tab, and sees at every step where they are."""

from playwright.sync_api import Page, expect

FOCUSED = r"""() => {
  const at = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const box = at.getBoundingClientRect();
  return {
    words: (at.labels?.[0] ?? at).innerText.trim().replace(/\s*\n:/, ":"),
    tag: at.tagName,
    html: at.outerHTML.slice(0, 120),
    outlined: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
    inside: box.bottom > 0 && box.top < innerHeight,
  };
}"""
MOST_TABS = 60
SETTLING = ".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added"


class Lost(Exception):
    """The keyboard led nowhere, or nobody could see where it was."""


def tab_to(page: Page, words: str) -> None:
    """Press Tab until the focus is on what these words name. Raises Lost where a step shows no
    outline, or is out of sight."""
    wait_until_settled(page)
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        if at["tag"] == "BODY":
            continue
        if not (at["outlined"] and at["inside"]):
            raise Lost(f"Nobody sees the focus on {at['html']}")
        if at["words"].startswith(words):
            return
    raise Lost(f"Tab does not lead to “{words}”.")


def wait_until_settled(page: Page) -> None:
    """HTMX gives the focus to what it swapped in a moment after the swap."""
    expect(page.locator(SETTLING)).to_have_count(0)


def press(page: Page, words: str, key: str = "Enter") -> None:
    tab_to(page, words)
    page.keyboard.press(key)


def words_at_focus(page: Page) -> str:
    return page.evaluate(FOCUSED)["words"]
