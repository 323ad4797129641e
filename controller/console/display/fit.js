// The text of each box within an element is scaled down until the box has room for it, in any language and with any amount.

const STEP = 0.94;
const LEAST = 0.3;
const measured = new WeakMap(); // what each box was when it fitted

export function fit(within = document.body) {
  const boxes = [within, ...within.querySelectorAll("[data-fit]")]
    .filter((box) => "fit" in box.dataset && measured.get(box) !== looksOf(box));
  for (const box of boxes) box.style.removeProperty("--scale");
  let crowded = boxes.filter(overflows);
  for (let scale = STEP; crowded.length > 0 && scale > LEAST; scale *= STEP) {
    for (const box of crowded) box.style.setProperty("--scale", scale);
    crowded = crowded.filter(overflows);
  }
  for (const box of boxes) measured.set(box, looksOf(box));
}

function overflows(box) {
  return box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 1;
}

function looksOf(box) {
  return `${innerWidth} ${innerHeight} ${box.clientWidth} ${box.clientHeight} ${box.textContent}`;
}
