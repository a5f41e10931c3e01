import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Deps } from "../../core/deps";
import { describeError } from "../../core/errors";
import { isUnavailable } from "../../db/errors";
import { createExpiringMap } from "../../lib/expiring-map";
import { escapeHtml } from "../../lib/html";
import { AccessRefused, type Gated, marked, type Pass } from "../../modules/status-page/access/gate";
import { canonicalSlug } from "../../modules/status-page/model";
import { pathOf } from "../../modules/status-page/pages/address";
import type { Published } from "../../modules/status-page/publish";
import { SECOND } from "../../shared/limits";
import type { StatusTheme } from "../../shared/status-page";
import { type CachedResponse, createCachedResponse } from "../http-encoding";
import { dataAtRoot } from "./at-root";
import { contentSecurityPolicy, embeddable, inLanguage, logoOrigin, readDocument } from "./documents";
import { createLastDocuments, wishesOf } from "./last-documents";
import { accessDocument, type Problem } from "./page-access";
import { inPlace, isAtDomain, type Place } from "./place";
import { headOf } from "./status-head";

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
  const [, page = "", key = ""] = /^(\/status\/[^/]+)\/incidents\/([a-z\d]+)\/?$/.exec(path) ?? [];
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

/** The address of a page, and the key of one of its incidents, or a part of its history. */
type Address = { place: Place; key?: string; history?: { month?: string; day?: string } };

/** The pages of an incident and of the history show none of what the status page lists. */
const WITHOUT_LISTS = {
  ...{ monitors: [], agents: [], components: [], groups: [] },
  ...{ incidents: [], outages: [], maintenance: [] },
};

/** The part of a page that an address is about, with its path below the page; undefined for the whole page, null where it does not exist. */
const partOf = async (page: Published | null, { key, history: asked }: Address) => {
  if (key !== undefined) {
    const incident = await page?.incident(key);
    return incident ? { fields: { incident }, path: `/incidents/${key}`, version: incident.updated_at } : null;
  }
  if (asked === undefined) return undefined;
  const history = await page?.history(asked);
  if (!history) return null;
  const query = asked.day ? `?day=${asked.day}` : asked.month ? `?month=${asked.month}` : "";
  const version = Bun.hash(JSON.stringify(history)).toString(36);
  return { fields: { history }, path: `/history${query}`, version };
};

/** The name under which the last document of an address is kept: all domains of a page share it. */
const keptUnder = ({ slug, home }: Place, part = ""): string => `${home || `domain of ${slug}`}${part}`;

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
/** Bytes of all kept documents, plain and compressed. */
const MAX_SIZE = 16 * 1024 * 1024;

type Parts = { title: string; head: string; html: string; start: unknown };

/** Where a template takes the markup and the state of a page. */
const PLACES = /(<div id="root">)\s*(<\/div>[\s\S]*<script[^>]*id="start"[^>]*>)\s*(<\/script>)/;

/** The template with the parts of a page, as UTF-8. Documents are large, and are copied no more than necessary. */
const fill = (template: string, { title, head, html, start }: Parts): Uint8Array<ArrayBuffer> => {
  const own = template
    .replace(/<title>[\s\S]*?<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace("</head>", () => `${head}</head>`);
  return new TextEncoder().encode(
    own.replace(PLACES, (_, root, state, end) => root + html + state + embeddable(start) + end),
  );
};

const headersOf = (page: Published | null): Record<string, string> => ({
  "content-type": "text/html; charset=utf-8",
  // Custom CSS of the owner can load pictures only from the origin of the logo.
  "content-security-policy": contentSecurityPolicy(logoOrigin(page?.data.logoUrl ?? "")),
  // Status pages are the only ones that search engines may list.
  ...(page?.data.published && !page.noindex && { "x-robots-tag": "all" }),
  vary: "accept-encoding, accept-language",
});

/** Asks for the password of a page, or for a sign-in. `template` is the document without data. */
const createRefusal =
  (template: string) =>
  (request: Request, page: Gated, place: Place, problem?: Problem): Response => {
    const { asked, preferred } = wishesOf(request);
    const language = preferred ?? page.language;
    const search = asked ? `?lang=${language}` : "";
    const own = inPlace(inTheme(template, page.theme), place);
    return accessDocument({ template: own, page, language, place, search, problem });
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
  const incidentStyles = readdirSync(join(directory, "br"))
    .filter((name) => /^status-(incidents|history)-\w+\.css$/.test(name))
    .map((name) => `<link rel="stylesheet" href="./${name}">`)
    .join("");
  const last = createLastDocuments(template, { config, clock });

  const fresh = async (
    request: Request,
    found: Published | null,
    address: Address & { isPublic: boolean },
  ): Promise<Response> => {
    const { place } = address;
    const part = await partOf(found, address);
    const page = part === null ? null : found;
    const { asked, preferred } = wishesOf(request);
    const language = preferred ?? page?.language ?? config.defaultLanguage;
    const now = clock.now();
    // One page may be reached under its slug and without; without a page, the answer is the same for every path.
    const home = page || isAtDomain(place) ? place.home : pathOf(undefined);
    const path = home + (part?.path ?? "");
    const cacheKey = `${language} ${asked !== undefined} ${page?.version} ${page?.noindex} ${part?.version} ${page?.key} ${path}`;
    const cached = responses.get(cacheKey, now);
    if (cached) return cached(request);
    const { renderStatusPage } = await loadRenderer();
    // A page that was never saved renders empty and unindexed, but with status 200 at its URL.
    const publishedPage = page?.data.published ? page : null;
    const data = page && (part ? { ...page.data, ...WITHOUT_LISTS, ...part.fields } : page.data);
    const { title, state, hasExtras, html, start } = renderStatusPage({
      page: data && isAtDomain(place) ? dataAtRoot(data, place.slug ?? "") : data,
      language,
      base: place.base,
      path: path.replace(/\?.*/, ""),
      links: config.links,
      now,
    });
    const head = publishedPage
      ? headOf(publishedPage, { home, part: part?.path ?? "", language, isAsked: asked !== undefined, title, state })
      : '<meta name="robots" content="noindex">';
    const fullTitle = publishedPage ? `${title} · ${state}` : title;
    const own = inPlace(inLanguage(template, language), place);
    const bytes = fill(inTheme(own, publishedPage?.data.theme ?? "light"), {
      ...{ title: fullTitle, html, start },
      head: `${hasExtras ? incidentStyles : ""}${head}`,
    });
    const headers = headersOf(page);
    const answer = createCachedResponse(bytes, headers, { status: page ? 200 : 404 });
    responses.set(cacheKey, answer, now, { lifetime: KEEP, weight: 2 * bytes.length });
    // What is kept for the time without a database is sent without asking who may see it.
    if (page && address.isPublic) last.keep(keptUnder(place, part?.path), language, page, { bytes, headers });
    return answer(request);
  };

  const refuse = createRefusal(template);

  /** Shows a page, or one of its incidents. `read` admits the visitor. */
  const show = async (
    request: Request,
    address: Address,
    read: () => Promise<{ pass: Pass; page: Published } | null>,
  ): Promise<Response> => {
    const own = address.key ? `/incidents/${address.key}` : address.history ? "/history" : "";
    const path = keptUnder(address.place, own);
    const visit = await read().catch((error: unknown) => {
      if (error instanceof AccessRefused) {
        last.drop(error.page.key);
        return refuse(request, error.page, address.place);
      }
      if (!isUnavailable(error)) throw error;
      const reason = describeError(error);
      log.error("a status page can't be read, its last document is sent", {
        method: request.method,
        path,
        error: reason,
      });
      return undefined;
    });
    if (visit instanceof Response) return visit;
    if (visit === undefined) return last.stale(request, path, address.place);
    if (visit === null) return fresh(request, null, { ...address, isPublic: true });
    const { pass, page } = visit;
    return marked(pass, await fresh(request, page, { ...address, isPublic: pass.isPublic }));
  };

  return { show, refuse };
};
