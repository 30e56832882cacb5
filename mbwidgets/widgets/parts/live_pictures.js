// When the next picture is drawn.

const UNSEEN = 100; // ms after which it is not waited for: a page that is hidden draws none

// Call once, with the next picture; gives what is waited for, which no other call gives.
export function afterPicture(call, next = globalThis.requestAnimationFrame, patience = UNSEEN) {
  const wait = { over: false };
  const go = () => {
    if (wait.over) return;
    wait.over = true;
    clearTimeout(wait.timer);
    call();
  };
  wait.timer = setTimeout(go, patience);
  next?.call(globalThis, go);
  return wait;
}
