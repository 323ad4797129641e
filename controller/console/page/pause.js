// How long a page waits until it asks again.

const AGAIN_MILLISECONDS = 1000;

export function pause() {
  return new Promise((resolve) => setTimeout(resolve, AGAIN_MILLISECONDS));
}
