import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Deps } from "../../core/deps";
import { describeError } from "../../core/errors";
import { isUnavailable } from "../../db/errors";
import { acceptedLanguage } from "../../lib/accepted-language";
import { createExpiringMap } from "../../lib/expiring-map";
import { canonicalSlug } from "../../modules/status-page/model";
import type { Published } from "../../modules/status-page/publish";
import { findLanguage, LANGUAGES, type Language } from "../../shared/language";
import { DAY, SECOND } from "../../shared/limits";
import type { StatusTheme } from "../../shared/status-page";
import { type CachedResponse, createCachedResponse } from "../http-encoding";
import { contentSecurityPolicy, embeddable, inLanguage, logoOrigin, readDocument } from "./documents";
import { escapeHtml, headOf } from "./status-head";

/** The slug in a path below /status: undefined for the default page, null for an address of the console itself. */
export const statusSlug = (path: string): string | undefined | null => {
  const [match, slug] = /^\/status(?:\/([^/]+))?\/?$/.exec(path) ?? [];
  if (!match || slug === "config") return null;
  if (slug === undefined) return undefined;
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
};

/** The page and the key in the path of an incident; null for other paths. */
export const statusIncident = (path: string): { slug: string; key: string } | null => {
  const [, page = "", key = ""] = /^(\/status\/[^/]+)\/incidents\/([a-z]+)\/?$/.exec(path) ?? [];
  const slug = statusSlug(page);
  return slug ? { slug, key } : null;
};

/** The page in the path of a history, and the month or day in its query; null for other paths. */
export const statusHistory = (path: string, query: URLSearchParams) => {
  const [, page = ""] = /^(\/status(?:\/[^/]+)?)\/history\/?$/.exec(path) ?? [];
  const slug = page === "" ? null : statusSlug(page);
  if (slug === null) return null;
  const [month, day] = [query.get("month"), query.get("day")];
  return { slug, history: { ...(month !== null && { month }), ...(day !== null && { day }) } };
};

const pathOf = (slug: string | undefined) => (slug ? `/status/${encodeURIComponent(slug)}` : "/status");

/** The canonical path of a page for another spelling of its slug; null for the canonical spelling and for an invalid slug. */
export const canonicalStatusPath = (path: string, slug: string | undefined): string | null => {
  const canonical = slug === undefined ? "" : canonicalSlug(slug);
  if (canonical === null) return null;
  const canonicalPath = pathOf(canonical);
  return path === canonicalPath ? null : canonicalPath;
};

/** The document in the given theme before a script runs; light if the page follows the system. */
export const inTheme = (document: string, theme: StatusTheme): string =>
  document
    .replace(/ data-theme="[^"]*"/, () => ` data-theme="${theme === "dark" ? "dark" : "light"}"`)
    .replace(
      /<meta name="color-scheme" content="[^"]*"/,
      () => `<meta name="color-scheme" content="${theme === "auto" ? "light dark" : theme}"`,
    );

/** The address of a page: its slug, undefined for the default page, and the key of one of its incidents, or a part of its history. */
type Address = { slug: string | undefined; key?: string; history?: { month?: string; day?: string } };

/** The pages of an incident and of the history show none of what the status page lists. */
const WITHOUT_LISTS = {
  ...{ monitors: [], agents: [], components: [], groups: [] },
  ...{ incidents: [], outages: [], maintenance: [] },
};

/** The part of a page that an address is about, with its own path; undefined for the whole page, null where it does not exist. */
const partOf = async (page: Published | null, { slug, key, history: asked }: Address) => {
  if (key !== undefined) {
    const incident = await page?.incident(key);
    return incident ? { fields: { incident }, path: incident.path, version: incident.updated_at } : null;
  }
  if (asked === undefined) return undefined;
  const history = await page?.history(asked);
  if (!history) return null;
  const query = asked.day ? `?day=${asked.day}` : asked.month ? `?month=${asked.month}` : "";
  const version = Bun.hash(JSON.stringify(history)).toString(36);
  return { fields: { history }, path: `${pathOf(slug)}/history${query}`, version };
};

/** Loaded when the first page is requested: a hub that publishes none does not hold React in memory. */
const loadRenderer = () => import("../../../web/pages/status/server-entry");

/** The path of the document in which the settings show a page before it is saved. */
export const PREVIEW_PATH = "/status/config/preview";

/** The frame of the preview: the page's own document, without data. The console sends what is being edited to it. */
export const createPreviewDocument = (directory: string, { config }: Pick<Deps, "config">): CachedResponse => {
  const start = embeddable({ page: null, complete: true, path: "/status", now: 0, preview: true });
  const text = readDocument(directory, "status.html", config).replace(
    /(<script[^>]*id="start"[^>]*>)\s*(<\/script>)/,
    (_, open, close) => open + start + close,
  );
  return createCachedResponse(text, {
    "content-type": "text/html; charset=utf-8",
    // The logo is being edited, so it may be on any host.
    "content-security-policy": contentSecurityPolicy("https:", "'self'"),
    "x-frame-options": "SAMEORIGIN",
  });
};

/** How long a document is kept, so that its times stay about right for viewers without JavaScript. */
const KEEP = 5 * SECOND;
/** Characters of all kept documents, plain and compressed. */
const MAX_SIZE = 16 * 1024 * 1024;

/** How long the last document of a page is kept for the time in which the database is unavailable. */
const KEEP_LAST = DAY;
/** Seconds after which clients may ask again while there is no document. */
const RETRY_AFTER = 30;

/** What visitors read while the database is unavailable: above the last document of the page, or instead of one. */
const UNAVAILABLE: Record<Language, { stale: (time: string) => string; title: string; text: string }> = {
  "en-US": {
    stale: (time) => `The current state can't be loaded. This page shows the state of ${time}.`,
    title: "This status page is temporarily unavailable",
    text: "The current state can't be loaded. Please try again in a moment.",
  },
  "zh-CN": {
    stale: (time) => `暂时无法加载最新状态。本页显示的是 ${time} 的状态。`,
    title: "状态页暂时无法访问",
    text: "暂时无法加载最新状态，请稍后再试。",
  },
};

const utcTime = (time: number): string => `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** A document without data and scripts, which says that there is none now. */
const unavailableDocument = (template: string, language: Language): Response => {
  const { title, text } = UNAVAILABLE[language];
  const content = `<main><h1>${title}</h1><p>${text}</p></main>`;
  const body = inLanguage(template, language)
    .replaceAll(/<script\b[\s\S]*?<\/script>/g, "")
    .replace(/<title>[\s\S]*?<\/title>/, () => `<title>${title}</title>`)
    .replace(/(<div id="root">)\s*(<\/div>)/, (_, open, close) => open + content + close);
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", vary: "accept-language" };
  return new Response(body, { status: 503, headers: { ...headers, "retry-after": String(RETRY_AFTER) } });
};

/** The language that an address asks for, and the one that a visitor prefers: either in the address or in the browser. */
const wishesOf = ({ url, headers }: Request) => {
  const asked = url.includes("?") ? findLanguage(new URL(url).searchParams.getAll("lang")) : undefined;
  return { asked, preferred: asked ?? acceptedLanguage(headers.get("accept-language")) };
};

/**
 * Renders the document of the public status page, whose template lies in `directory`: once in 5 s for each page, language
 * and slug, unless the page changes. While the page can't be read from the database, the last document is sent with its
 * time, or 503 without one. Visitors get the language that `lang` in the address names, or else the one that their browser
 * prefers, the page's owner's, or the default one.
 */
export const createStatusDocument = (
  directory: string,
  { config, clock, log }: Pick<Deps, "config" | "clock" | "log">,
) => {
  const template = readDocument(directory, "status.html", config);
  const responses = createExpiringMap<string, CachedResponse>(MAX_SIZE);
  const styles = readdirSync(join(directory, "br")).find((name) => /^status-incidents-\w+\.css$/.test(name));
  const incidentStyles = styles ? `<link rel="stylesheet" href="./${styles}">` : "";
  /** `own`: the language for visitors who prefer none. */
  type Last = { text: string; headers: Record<string, string>; at: number; own: Language };
  const last = createExpiringMap<string, Last>(MAX_SIZE);

  /** The last document of a page, in the language of the viewer if there is one. */
  const stale = (request: Request, path: string): Response => {
    const find = (one: Language) => last.get(`${one} ${path}`, clock.now());
    const others = LANGUAGES.flatMap((one) => find(one) ?? []);
    const language = wishesOf(request).preferred ?? others[0]?.own ?? config.defaultLanguage;
    const entry = find(language) ?? others[0];
    if (!entry) return unavailableDocument(template, language);
    const notice = `<p class="stale" role="status">${UNAVAILABLE[language].stale(utcTime(entry.at))}</p>`;
    const text = entry.text.replace('<div id="root">', () => `${notice}<div id="root">`);
    return new Response(text, { headers: { ...entry.headers, "cache-control": "no-store" } });
  };

  const fresh = async (request: Request, found: Published | null, address: Address): Promise<Response> => {
    const { renderStatusPage } = await loadRenderer();
    const { slug } = address;
    const part = await partOf(found, address);
    const page = part === null ? null : found;
    const { asked, preferred } = wishesOf(request);
    const language = preferred ?? page?.language ?? config.defaultLanguage;
    const now = clock.now();
    // One page may be reached under its slug and without; without a page, the answer is the same for every path.
    const path = part?.path ?? pathOf(page ? slug : undefined);
    const cacheKey = `${language} ${asked !== undefined} ${page?.version} ${page?.noindex} ${part?.version} ${path}`;
    const cached = responses.get(cacheKey, now);
    if (cached) return cached(request);
    // A page that was never saved renders empty and unindexed, but with status 200 at its URL.
    const publishedPage = page?.data.published ? page : null;
    const { title, state, hasExtras, html, start } = renderStatusPage({
      page: page && (part ? { ...page.data, ...WITHOUT_LISTS, ...part.fields } : page.data),
      language,
      base: config.basePath.slice(0, -1),
      path: path.replace(/\?.*/, ""),
      links: config.links,
      now,
    });
    const head = publishedPage
      ? headOf(publishedPage, { slug, path, language, isAsked: asked !== undefined, title, state })
      : '<meta name="robots" content="noindex">';
    const isListed = publishedPage !== null && !publishedPage.noindex;
    const fullTitle = publishedPage ? `${title} · ${state}` : title;
    const text = inTheme(inLanguage(template, language), publishedPage?.data.theme ?? "light")
      .replace(/<title>[\s\S]*?<\/title>/, () => `<title>${escapeHtml(fullTitle)}</title>`)
      .replace("</head>", () => `${hasExtras ? incidentStyles : ""}${head}</head>`)
      .replace(/(<div id="root">)\s*(<\/div>)/, (_, open, close) => open + html + close)
      .replace(/(<script[^>]*id="start"[^>]*>)\s*(<\/script>)/, (_, open, close) => open + embeddable(start) + close);
    const headers = {
      "content-type": "text/html; charset=utf-8",
      // The owner's stylesheet, whatever its rules, loads pictures from the logo's own origin at most.
      "content-security-policy": contentSecurityPolicy(logoOrigin(page?.data.logoUrl ?? "")),
      // Status pages are the only ones that search engines may list.
      ...(isListed && { "x-robots-tag": "all" }),
      vary: "accept-encoding, accept-language",
    };
    const answer = createCachedResponse(text, headers, { status: page ? 200 : 404 });
    responses.set(cacheKey, answer, now, { lifetime: KEEP, weight: 2 * text.length });
    if (page) {
      const document = { text, headers, at: now, own: page.language };
      last.set(`${language} ${path}`, document, now, { lifetime: KEEP_LAST, weight: text.length });
    }
    return answer(request);
  };

  return async (request: Request, address: Address, read: () => Promise<Published | null>): Promise<Response> => {
    const own = address.key ? `/incidents/${address.key}` : address.history ? "/history" : "";
    const path = pathOf(address.slug) + own;
    const page = await read().catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      const reason = describeError(error);
      log.error("a status page can't be read, its last document is sent", {
        method: request.method,
        path,
        error: reason,
      });
      return undefined;
    });
    return page === undefined ? stale(request, path) : fresh(request, page, address);
  };
};
