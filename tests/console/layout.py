"""The layout of a page in every language and size: overlaps, what no one can reach, what is against WCAG 2.2 AA."""

from playwright.sync_api import Page

from controller.words import SPOKEN
from tests.console.tapping import AXE, VIOLATED, WCAG

Faults = dict[str, list[str]]
NOTHING_WRONG: Faults = {"overlaps": [], "cut": []}

# A line's box is higher than its letters: a fifth at either end may be over another's. Cards are over each other.
_MEASURED = """(root) => {
  const found = [];
  const walker = document.createTreeWalker(document.querySelector(root), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.data.trim() || !node.parentElement.checkVisibility()) continue; // also what a closed <details> has
    if (node.parentElement.closest('.card, .strip, [inert], .visually-hidden')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || getComputedStyle(node.parentElement).visibility === 'hidden') continue;
      if (box.right < -1000) continue; // for those who listen alone
      const slack = box.height / 5;
      const [top, bottom] = [box.top + slack, box.bottom - slack];
      found.push({ node, text: node.data.trim(), left: box.left + 1, right: box.right - 1, top, bottom });
    }
  }
  // What is scrolled away is not over anything.
  const seen = ({ node, left, right, top, bottom }) => {
    for (let at = node.parentElement; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.overflowY === 'visible' && style.overflowX === 'visible') continue;
      const box = at.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return { node, left, right, top, bottom };
  };
  const overlaps = [];
  const parts = found.map((part) => ({ text: part.text, ...seen(part) }))
    .filter((part) => part.left < part.right && part.top < part.bottom);
  parts.forEach((part, at) => parts.slice(at + 1).forEach((other) => {
    if (part.node === other.node) return;
    if (part.left < other.right && other.left < part.right && part.top < other.bottom && other.top < part.bottom)
      overlaps.push(`${part.text} | ${other.text}`);
  }));
  const cut = found.filter((part) => {
    for (let at = part.node.parentElement; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const whole = at === document.documentElement;
      if (!whole && style.overflowY === 'visible' && style.overflowX === 'visible') continue;
      const box = whole ? new DOMRect(0, 0, innerWidth, innerHeight) : at.getBoundingClientRect();
      const scrolls = (name) => ['auto', 'scroll'].includes(style[name]);
      if (!scrolls('overflowX') && (part.left < box.left - 2 || part.right > box.right + 2)) return true;
      if (whole && getComputedStyle(document.body).overflowY !== 'hidden') return false; // the page scrolls
      if (!scrolls('overflowY') && (part.top < box.top - 2 || part.bottom > box.bottom + 2)) return true;
      if (scrolls('overflowX') || scrolls('overflowY')) return false;
    }
    return false;
  }).map((part) => part.text);
  return { overlaps: [...new Set(overlaps)], cut: [...new Set(cut)] };
}"""


def faults_of_layout(page: Page, root: str = "body") -> Faults:
    """Texts below `root` that are over each other, and those outside of what shows or scrolls to them."""
    page.evaluate("document.getAnimations().forEach((part) => part.finish ? part.cancel() : null)")
    faults: Faults = page.evaluate(_MEASURED, root)
    return faults


# The felt is above the prompt, and below it is the edge of the screen.
_OUTSIDE = """() => {
  const within = document.querySelector('.prompt').getBoundingClientRect();
  return [...document.querySelectorAll('.answers :is(button, .why)')].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.top < within.top - 1 || box.bottom > within.bottom + 1 || box.right > within.right + 1;
  }).map((part) => part.textContent.trim());
}"""


def answers_outside(page: Page) -> dict[tuple[int, int, str], list[str]]:
    """Answers with their reasons that are not wholly within the prompt, by size and language; it is then as before."""
    before, found = page.viewport_size, {}
    for width, height in ((1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        for language in (*[code for code in SPOKEN if code != "en"], "en"):
            page.click(f"[data-language={language}]")
            page.evaluate("() => new Promise(requestAnimationFrame)")
            if outside := page.evaluate(_OUTSIDE):
                found[width, height, language] = outside
    assert before is not None
    page.set_viewport_size(before)
    return found


_CONTROLS = """(root) => [...document.querySelector(root).querySelectorAll(
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]')]
  .filter((at) => at.tabIndex >= 0 && at.checkVisibility({ visibilityProperty: true }) && !at.closest('[inert]'))"""
# Each is scrolled to the middle of the screen; what is pressed there must be the control.
_COVERED = f"""(root) => {{
  const scrolled = [...document.querySelectorAll('*')].filter((part) => part.scrollTop || part.scrollLeft)
    .map((part) => [part, part.scrollLeft, part.scrollTop]);
  const at = [scrollX, scrollY];
  const covered = ({_CONTROLS})(root).filter((part) => {{
    part.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }});
    const box = part.getClientRects()[0];
    if (!box?.width || !box.height || box.right < -1000) return false;
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return !(hit && (part.contains(hit) || hit.closest('label')?.contains(part)));
  }}).map((part) => part.outerHTML.slice(0, 120));
  for (const part of document.querySelectorAll('*')) if (part.scrollTop || part.scrollLeft) part.scrollTo(0, 0);
  scrollTo(...at);
  for (const [part, left, top] of scrolled) part.scrollTo(left, top);
  return covered;
}}"""
_MARK = f"""(root) => {{
  window.controls = ({_CONTROLS})(root).filter((part) => part.type !== 'radio' || part.checked);
  window.reached = new Set();
  document.activeElement.blur?.();
  return window.controls.length;
}}"""
_REACHED = """() => {
  const at = document.activeElement, { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
  if ((outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none') window.reached.add(at);
  return window.controls.every((part) => window.reached.has(part));
}"""
_MISSED = """() => window.controls.filter((part) => part.isConnected && !window.reached.has(part))
  .map((part) => part.outerHTML.slice(0, 120))"""


def covered_controls(page: Page, root: str = "body") -> list[str]:
    """What can be pressed by its name, and has something else in its middle wherever one scrolls."""
    covered: list[str] = page.evaluate(_COVERED, root)
    return covered


def keys_reach_all(page: Page, root: str = "body") -> list[str]:
    """Controls to which the tabulator does not come, or where the focus is not seen."""
    for _ in range(2 * page.evaluate(_MARK, root) + 2):
        page.keyboard.press("Tab")
        if page.evaluate(_REACHED):
            return []
    missed: list[str] = page.evaluate(_MISSED)
    return missed


USUAL = (1280, 720)
SIZES = ((1920, 1080), (1080, 1920), USUAL, (1024, 768), (390, 844), (640, 360))  # the last is 1280 x 720 at 200 %
AXE_SIZES = (USUAL, (390, 844), (640, 360))
SPEAK = "language => document.querySelector(`[data-language=${language}], #languages [lang=${language}]`)?.click()"
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
# A header is over what is scrolled.
TO_THE_TOP = (
    "() => [document.scrollingElement, ...document.querySelectorAll('.column')].forEach((part) => part.scrollTo(0, 0))"
)
TOO_WIDE = "() => document.documentElement.scrollWidth > innerWidth"


class Looked:
    """What is wrong, and where it was first seen."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self.screens = 0

    def look(self, page: Page, what: str) -> None:
        """At each size and in each language, and by keys; the page is then in English at the usual size."""
        root = "dialog" if page.locator("dialog[open]").count() else "body"
        for size in SIZES:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            for language in (*[code for code in SPOKEN if code != "en"], "en"):
                page.evaluate(SPEAK, language)
                page.evaluate(TO_THE_TOP)
                page.evaluate(DRAWN)
                self.screens += 1
                where = f"{what}, {size[0]} x {size[1]}, {language}"
                layout = faults_of_layout(page, root)
                self._keep(where, *(f"{kind}: {text}" for kind, texts in layout.items() for text in texts))
                self._keep(where, *(f"covered: {control}" for control in covered_controls(page, root)))
                if page.evaluate(TOO_WIDE):
                    self._keep(where, f"wider than the screen: {what}")
                if size in AXE_SIZES:
                    self._keep(where, *self._violations(page))
        page.set_viewport_size({"width": USUAL[0], "height": USUAL[1]})
        page.evaluate(DRAWN)
        self._keep(what, *(f"no key reaches: {control}" for control in keys_reach_all(page, root)))

    def _violations(self, page: Page) -> list[str]:
        if not page.evaluate("() => 'axe' in window"):
            page.evaluate(AXE)
        found: list[str] = page.evaluate(VIOLATED, WCAG)
        return found

    def _keep(self, where: str, *faults: str) -> None:
        for fault in faults:
            if fault not in self.found:
                self.found[fault] = where
                print(where, fault, flush=True)
