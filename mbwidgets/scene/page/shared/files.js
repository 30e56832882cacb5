// Texts that a reader takes away.

import { element } from "./elements.js";

const READ = 1000; // ms in which a browser has begun to read what it was told to download

// Copy a text, of which `select` marks what is seen of it; tells in words what came of it.
export async function copyText(text, select) {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    // a page without the right to the clipboard
    select();
    return document.execCommand("copy") ? "copied" : "selected: press Ctrl+C";
  }
}

export function downloadText(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), READ);
}
