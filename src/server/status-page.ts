import type { Config } from "../core/config";
import type { Published } from "../modules/status-page/publish";
import { canonicalSlug } from "../modules/status-page/slug";
import type { Language } from "../shared/alerts";
import { chooseLanguage } from "../shared/language";
import { STATUS_WORDS } from "../shared/status-page";
import { readDocument } from "./html-pages";
import { type CachedResponse, createCachedResponse } from "./http-encoding";
import { contentSecurityPolicy, logoOrigin } from "./security-headers";

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The slug in a path below /status: undefined for the page without one, null for an address of the console's own. */
export const statusSlug = (path: string): string | undefined | null => {
  const [found, slug] = /^\/status(?:\/([^/]+))?\/?$/.exec(path) ?? [];
  if (!found || slug === "config") return null;
  if (slug === undefined) return undefined;
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
};

/**
 * The path at which a page is found, for any other spelling of its slug; null for the canonical one, and for what can be
 * no slug.
 */
export const canonicalStatusPath = (path: string, slug: string | undefined): string | null => {
  const canonical = slug === undefined ? "" : canonicalSlug(slug);
  if (canonical === null) return null;
  const wanted = canonical ? `/status/${encodeURIComponent(canonical)}` : "/status";
  return path === wanted ? null : wanted;
};

/** What stands in the head for search engines and previews in chats, and what those see who run no script. */
const partsOf = (page: Published | null, slug: string | undefined, language: Language) => {
  const words = STATUS_WORDS[language];
  if (!page) {
    const title = escapeHtml(words.missing);
    const main = `<div class="hero"><h1>${title}</h1></div>`;
    return { title, head: '<meta name="robots" content="noindex">', style: "", main };
  }
  const { overall, title: own, description, customCss } = page.data;
  const [title, text] = [escapeHtml(own || words.title), escapeHtml(description)];
  const state = overall === null ? words.nothing : words[overall];
  const about = [state, text].filter(Boolean).join(" · ");
  const query = slug === undefined ? "" : `?page=${encodeURIComponent(slug)}`;
  const meta = [
    `<meta name="description" content="${about}">`,
    '<meta property="og:type" content="website">',
    `<meta property="og:title" content="${title}">`,
    `<meta property="og:description" content="${about}">`,
    `<meta property="og:locale" content="${language.replace("-", "_")}">`,
    '<meta name="twitter:card" content="summary">',
  ];
  const hero = `<div class="hero"><h1>${title}</h1>${text && `<p class="about">${text}</p>`}</div>`;
  return {
    title: `${title} · ${state}`,
    head: meta.join(""),
    // After the page's own, so that it has the last word.
    style: customCss && `<link rel="stylesheet" href="./api/status/style.css${query}">`,
    main: `${hero}<div class="banner ${overall ?? "empty"}"><p class="state">${state}</p></div>`,
  };
};

/** Makes the document of the public status page, which lies in `directory`, for each page and language. */
export const createStatusDocument = (directory: string, config: Config) => {
  const template = readDocument(directory, "status.html", config);
  const made = new WeakMap<Published, Map<string, CachedResponse>>();

  const make = (page: Published | null, slug: string | undefined, language: Language): CachedResponse => {
    const { title, head, style, main } = partsOf(page, slug, language);
    const html = template
      .replace(/<html lang="[^"]*"/, () => `<html lang="${language}"`)
      .replace(/<title>[\s\S]*?<\/title>/, () => `<title>${title}</title>${head}`)
      .replace("</head>", () => `${style}</head>`)
      .replace(/(<main[^>]*>)\s*(<\/main>)/, (_, open, close) => open + main + close);
    const headers = {
      "content-type": "text/html; charset=utf-8",
      // A stylesheet of the owner's, whatever it says, shows pictures from the logo's own origin at the most.
      "content-security-policy": contentSecurityPolicy(logoOrigin(page?.data.logoUrl ?? "")),
      // Status pages are the only ones that search engines may list.
      ...(page && { "x-robots-tag": "all" }),
      vary: "accept-encoding, accept-language",
    };
    return createCachedResponse(html, headers, page ? 200 : 404);
  };

  return (request: Request, page: Published | null, slug: string | undefined): Promise<Response> => {
    const language = chooseLanguage((request.headers.get("accept-language") ?? "").split(","));
    if (!page) return make(page, slug, language)(request);
    const answers = made.get(page) ?? new Map<string, CachedResponse>();
    made.set(page, answers);
    // One page may be reached under its slug and without.
    const key = `${language} ${slug ?? ""}`;
    const answer = answers.get(key) ?? make(page, slug, language);
    answers.set(key, answer);
    return answer(request);
  };
};
