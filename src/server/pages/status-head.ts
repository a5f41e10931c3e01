import { escapeHtml } from "../../lib/html";
import type { Published } from "../../modules/status-page/publish";
import { LANGUAGES, type Language } from "../../shared/language";
import { logoAddress } from "../../shared/status-page";

type HeadOptions = {
  /** The page's path below the base address of the document, empty at its domain, and the path of an incident or of the history below that. */
  home: string;
  part: string;
  language: Language;
  /** Whether `lang` in the address asked for the language. */
  isAsked: boolean;
  title: string;
  /** The overall state in words. */
  state: string;
};

/** A `link` element of the head. */
const link = (rel: string, href: string, attributes = "") =>
  `<link rel="${rel}"${attributes} href="${escapeHtml(href)}">`;
const meta = (property: string, content: string) => `<meta property="${property}" content="${escapeHtml(content)}">`;

/**
 * The picture of previews: the page's logo where programs can show it, otherwise a wide one of the state, which has an address of
 * its own in each state, because chats keep pictures.
 */
const pictureOf = ({ logoUrl, overall }: Published["data"], base: string): string[] => {
  const logo = logoAddress(logoUrl);
  if (logo && !logo.pathname.toLowerCase().endsWith(".svg"))
    return [base && meta("og:image", logo.href), '<meta name="twitter:card" content="summary">'];
  const size = [meta("og:image:width", "1200"), meta("og:image:height", "630")];
  return [
    ...(base ? [meta("og:image", `${base}/status_${overall ?? "unknown"}.png`), ...size] : []),
    '<meta name="twitter:card" content="summary_large_image">',
  ];
};

/**
 * The head of a status page: for search engines, which find the page in each language, for previews in chats, for feed
 * readers, and the stylesheet of its owner. Previews need absolute addresses, so they are left out while these are not known.
 */
export const headOf = (
  { data, base, address }: Published,
  { home, part, language, isAsked, title, state }: HeadOptions,
): string => {
  const about = [state, data.description].filter(Boolean).join(" · ");
  // Relative addresses begin at the document's base.
  const plain = address ? new URL(address + part).href : `.${home}${part}`;
  const inLanguage = (tag: Language) => `${plain}${plain.includes("?") ? "&" : "?"}lang=${tag}`;
  const own = isAsked ? inLanguage(language) : plain;
  return [
    `<meta name="description" content="${escapeHtml(about)}">`,
    // Search engines take absolute addresses only.
    ...(address
      ? [
          link("canonical", own),
          ...LANGUAGES.map((tag) => link("alternate", inLanguage(tag), ` hreflang="${tag}"`)),
          link("alternate", plain, ' hreflang="x-default"'),
        ]
      : []),
    meta("og:type", "website"),
    meta("og:title", title),
    meta("og:site_name", title),
    meta("og:description", about),
    meta("og:locale", language.replace("-", "_")),
    address && meta("og:url", own),
    ...pictureOf(data, home === "" ? address : base),
    link("apple-touch-icon", "./icon-180.png"),
    link(
      "alternate",
      `.${home}/feed.xml?lang=${language}`,
      ` type="application/atom+xml" title="${escapeHtml(title)}"`,
    ),
    // Before the first paint, as in the console.
    data.theme === "auto" ? '<script src="./theme.js"></script>' : "",
    // After the page's own rules, which are in a layer, so that it takes precedence.
    data.customCss && link("stylesheet", `.${home}/style.css`),
  ].join("");
};
