/** Addresses below /status that are the console's own. */
const RESERVED = ["config"];

/** A text as addresses compare it. */
export const normalSlug = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Whether a page can have this slug at all: nothing else is worth a query, or safe for one. */
const isSlug = (text: string): boolean => /^[\p{L}\p{N}_-]{1,1200}$/u.test(text);

/** The one spelling under which a page is kept and found, or null for a text that can be no page's slug. */
export const canonicalSlug = (text: string): string | null => {
  const slug = normalSlug(text);
  return isSlug(slug) ? slug : null;
};

/** The names under which a user's page may be found, best first: `alice`, then `alice-2`, and so on. */
export function* slugsOf(username: string): Generator<string> {
  const words = normalSlug(username)
    .replace(/[^\p{L}\p{N}_]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  const slug = words || "page";
  if (!RESERVED.includes(slug)) yield slug;
  for (let number = 2; ; number++) yield `${slug}-${number}`;
}
