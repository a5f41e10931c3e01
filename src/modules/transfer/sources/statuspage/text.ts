/** Texts of foreign status pages, which may be HTML, as Markdown without HTML. */
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

const decode = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{1,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : "";
  });

/** A text with line breaks and links in place of the tags for these; other tags are removed. */
export const markdownOf = (html: string): string =>
  decode(
    html
      .replace(/<(script|style)\b[^>]*>[\s\S]*?(<\/\1\s*>|$)/gi, "")
      .replace(/<br\b[^>]*>|<\/(p|div|li|h\d)\s*>/gi, "\n")
      .replace(/<li\b[^>]*>/gi, "- ")
      .replace(/<a\b[^>]{0,500}?\bhref=["'](https?:\/\/[^"'\s()<>]+)["'][^>]{0,500}>([^<]*)<\/a\s*>/gi, "[$2]($1)")
      .replace(/<\/?[a-z][^>]*(>|$)/gi, ""),
  )
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
