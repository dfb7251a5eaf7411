// Whether the data of the page is what the program wrote: its digest stands in the head of the page.

/** What is wrong with the data of a page, in words; empty where nothing is, or where it cannot be told. */
export async function alteration(text, stated) {
  if (!globalThis.crypto?.subtle) return "";
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const found = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return found === stated
    ? ""
    : "This page has been altered: its data is not what the program wrote. Do not rely on it.";
}
