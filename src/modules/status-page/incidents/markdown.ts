import { escapeHtml } from "../../../lib/html";

/** The address of a link as it may stand in an attribute; null for schemes other than http, https and mailto. */
const safeAddress = (href: string): string | null => {
  const isMail = /^[^\s/:?#]+@[^\s/:?#@]+$/.test(href);
  const url = URL.parse(isMail ? `mailto:${href}` : href);
  return url && ["http:", "https:", "mailto:"].includes(url.protocol) ? escapeHtml(url.href) : null;
};

const element = (name: string) => (children: string) => `<${name}>${children}</${name}>`;
/** Line breaks of the writer are kept: on a phone, two spaces at the end of a line are hard to see. */
const withBreaks = (children: string): string => children.trim().replaceAll("\n", "<br>");

/** The names of attributes and elements are written here only: every text of the writer passes `text` or `safeAddress`. */
const RENDERERS = {
  text: escapeHtml,
  html: escapeHtml,
  paragraph: (children: string) => `<p>${withBreaks(children)}</p>`,
  // The page has headings of its own around an update.
  heading: (children: string) => `<p><strong>${children}</strong></p>`,
  strong: element("strong"),
  emphasis: element("em"),
  strikethrough: element("s"),
  codespan: element("code"),
  code: (children: string) => `<pre><code>${children}</code></pre>`,
  blockquote: element("blockquote"),
  list: (children: string, { ordered, start }: { ordered: boolean; start?: number }) =>
    ordered
      ? `<ol${Number.isSafeInteger(start) && start !== 1 ? ` start="${start}"` : ""}>${children}</ol>`
      : `<ul>${children}</ul>`,
  listItem: element("li"),
  hr: () => "<hr>",
  /** Its description stands in place of a picture. */
  image: (children: string) => children,
  link: (children: string, { href }: { href: string }) => {
    const address = safeAddress(href);
    return address === null ? children : `<a href="${address}" rel="noopener nofollow ugc">${children}</a>`;
  },
};

const OPTIONS = {
  ...{ noHtmlBlocks: true, noHtmlSpans: true, tables: false, tasklists: false, wikiLinks: false, latexMath: false },
  autolinks: { url: true, www: false, email: false },
};

/** Deep nesting and many brackets take the parser long, and occur in no update that is meant to be read. */
const DEEP = /^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])){9}/m;
const MAX_BRACKETS = 100;
/** Characters of HTML for each character of a text: links that are named again and again would make it longer. */
const MAX_GROWTH = 20;

/**
 * The HTML of an update's Markdown. It has no elements of the writer: HTML in the text is shown as text, pictures as their
 * description, and links lead to http, https and mailto addresses only. A text beyond these limits is shown as it is.
 */
export const renderMarkdown = (text: string): string => {
  const plain = `<p>${withBreaks(escapeHtml(text.toWellFormed()))}</p>`;
  if (DEEP.test(text) || text.split("[").length > MAX_BRACKETS) return plain;
  const html = Bun.markdown.render(text.toWellFormed(), RENDERERS, OPTIONS);
  return html.length > MAX_GROWTH * Math.max(text.length, 100) ? plain : html;
};
