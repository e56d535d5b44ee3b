"""What is wrong with a page as a browser shows it, in sentences. It knows no page in particular."""

from collections.abc import Sequence

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import ConsoleMessage, Page

TOUCH = 44  # pixels

COLOUR_RULES = ("color-contrast", "link-in-text-block")
RUN_AXE = """async (rules) => {
  const only = rules ? { runOnly: rules } : {};
  const found = await axe.run(document, { resultTypes: ["violations"], ...only });
  return found.violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 200)} ${node.failureSummary}`));
}"""

SIDEWAYS = """() => {
  const root = document.documentElement;
  if (root.scrollWidth <= root.clientWidth) return [];
  const wide = [...document.querySelectorAll("body *")].filter(
    (each) => each.getBoundingClientRect().right > root.clientWidth + 1);
  const names = wide.slice(0, 3).map((each) => each.outerHTML.slice(0, 120));
  return [`${root.scrollWidth} px wide in ${root.clientWidth}: ${names.join(" | ")}`];
}"""

SMALL_TARGETS = """(least) => {
  const all = document.querySelectorAll("a, button, summary, input, textarea, select");
  const seen = [...all].filter((each) => each.checkVisibility({ visibilityProperty: true }));
  // A link within a sentence is as high as its line; a radio button is tapped by its label.
  const alone = seen.filter((each) => getComputedStyle(each).display !== "inline");
  return alone.map((each) => each.closest("label") || each).flatMap((each) => {
    const { width, height } = each.getBoundingClientRect();
    if (Math.min(width, height) > least - 0.5) return [];
    return [`${width.toFixed()} x ${height.toFixed()}: ${each.outerHTML.slice(0, 120)}`];
  });
}"""

WRAPPED_BUTTONS = """() => {
  const range = document.createRange();
  const isWord = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim();
  const linesOf = (node) => {
    range.selectNodeContents(node);
    return [...range.getClientRects()].map((box) => Math.round(box.bottom));
  };
  return [...document.querySelectorAll(".button, .link, .badge")].flatMap((each) => {
    const lines = new Set([...each.childNodes].filter(isWord).flatMap(linesOf));
    const isCut = each.scrollWidth > each.clientWidth + 1;
    return lines.size > 1 || isCut ? [`wraps or is cut: ${each.textContent.trim()}`] : [];
  });
}"""

LIVE_REGIONS = """() => {
  const regions = document.querySelectorAll("[aria-live], [role=status], [role=alert]").length;
  return document.querySelector("script") && regions !== 1 ? [`${regions} live regions`] : [];
}"""


def find_axe_faults(page: Page, rules: Sequence[str] | None = None) -> list[str]:
    """Violations of these rules of axe, or of all, those of best practice too."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return page.evaluate(RUN_AXE, rules)


def find_colour_faults(page: Page) -> list[str]:
    """What another theme may have made worse. It changes the tokens of colour and nothing else."""
    return find_axe_faults(page, COLOUR_RULES)


def find_layout_faults(page: Page) -> list[str]:
    """What no width may do: scroll sideways, wrap or cut a button, speak from two places."""
    return [
        *page.evaluate(SIDEWAYS),
        *page.evaluate(WRAPPED_BUTTONS),
        *page.evaluate(LIVE_REGIONS),
    ]


def find_small_targets(page: Page) -> list[str]:
    """What is too small for a thumb."""
    return page.evaluate(SMALL_TARGETS, TOUCH)


def watch(page: Page) -> list[str]:
    """Listen from now on: the list fills with what scripts threw, opened or were refused."""
    heard: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            heard.append(message.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: heard.append(f"threw {error}"))
    page.on("dialog", lambda dialog: heard.append(f"opened {dialog.type}") or dialog.dismiss())
    return heard
