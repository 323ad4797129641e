"""The layout of a page as it is measured in the browser: texts that overlap, and texts that no one can reach."""

from playwright.sync_api import Page

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
      const slack = box.height / 5;
      const [top, bottom] = [box.top + slack, box.bottom - slack];
      found.push({ node, text: node.data.trim(), left: box.left + 1, right: box.right - 1, top, bottom });
    }
  }
  const overlaps = [];
  found.forEach((one, at) => found.slice(at + 1).forEach((other) => {
    if (one.node === other.node) return;
    if (one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom)
      overlaps.push(`${one.text} | ${other.text}`);
  }));
  const cut = found.filter((one) => {
    for (let at = one.node.parentElement; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const whole = at === document.documentElement;
      if (!whole && style.overflowY === 'visible' && style.overflowX === 'visible') continue;
      const box = whole ? new DOMRect(0, 0, innerWidth, innerHeight) : at.getBoundingClientRect();
      const scrolls = (name) => ['auto', 'scroll'].includes(style[name]);
      if (!scrolls('overflowX') && (one.left < box.left - 2 || one.right > box.right + 2)) return true;
      if (whole && getComputedStyle(document.body).overflowY !== 'hidden') return false; // the page scrolls
      if (!scrolls('overflowY') && (one.top < box.top - 2 || one.bottom > box.bottom + 2)) return true;
      if (scrolls('overflowX') || scrolls('overflowY')) return false;
    }
    return false;
  }).map((one) => one.text);
  return { overlaps: [...new Set(overlaps)], cut: [...new Set(cut)] };
}"""


def faults_of_layout(page: Page, root: str = "body") -> Faults:
    """Texts below `root` that are over each other, and those outside of what shows or scrolls to them."""
    page.evaluate("document.getAnimations().forEach((one) => one.finish ? one.cancel() : null)")
    faults: Faults = page.evaluate(_MEASURED, root)
    return faults
