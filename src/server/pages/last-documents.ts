/** The last documents of status pages, which visitors get while the database is unavailable. */
import type { Deps } from "../../core/deps";
import { createExpiringMap } from "../../lib/expiring-map";
import { acceptedLanguage } from "../../lib/headers/accepted-language";
import type { Published } from "../../modules/status-page/publish";
import { findLanguage, LANGUAGES, type Language } from "../../shared/language";
import { DAY } from "../../shared/limits";
import { inLanguage } from "./documents";
import { inPlace, type Place } from "./place";

/** Bytes of all kept documents. */
const MAX_SIZE = 8 * 1024 * 1024;

/** How long the last document of a page is kept, to be sent while the database is unavailable. */
const KEEP_LAST = DAY;
/** Seconds until clients may ask again while there is no document. */
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

/** A document without data and scripts, which says so. */
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

/** The language that an address asks for, and the language of the visitor: from the address, or else from the browser. */
export const wishesOf = ({ url, headers }: Request) => {
  const asked = url.includes("?") ? findLanguage(new URL(url).searchParams.getAll("lang")) : undefined;
  return { asked, preferred: asked ?? acceptedLanguage(headers.get("accept-language")) };
};

/** `own`: the language for visitors who prefer none. */
type Last = { key: string; bytes: Uint8Array; headers: Record<string, string>; at: number; own: Language };

/** Keeps the last document of each public page in each language. `template` is the document without data. */
export const createLastDocuments = (template: string, { config, clock }: Pick<Deps, "config" | "clock">) => {
  const last = createExpiringMap<string, Last>(MAX_SIZE);
  /** When a visitor was last refused, by the key of the page: its earlier documents are not sent any more. */
  const refused = createExpiringMap<string, number>(10_000);

  /** The last document of a path, in the language of the viewer if there is one. */
  const stale = (request: Request, path: string, place: Place): Response => {
    const now = clock.now();
    const find = (one: Language) => {
      const entry = last.get(`${one} ${path}`, now);
      return entry && entry.at > (refused.get(entry.key, now) ?? -1) ? entry : undefined;
    };
    const others = LANGUAGES.flatMap((one) => find(one) ?? []);
    const language = wishesOf(request).preferred ?? others[0]?.own ?? config.defaultLanguage;
    const entry = find(language) ?? others[0];
    if (!entry) return unavailableDocument(inPlace(template, place), language);
    const notice = `<p class="stale" role="status">${UNAVAILABLE[language].stale(utcTime(entry.at))}</p>`;
    const text = new TextDecoder().decode(entry.bytes).replace('<div id="root">', () => `${notice}<div id="root">`);
    return new Response(text, { headers: { ...entry.headers, "cache-control": "no-store" } });
  };

  return {
    stale,
    /** Keeps the document of a page that everyone may see. */
    keep: (path: string, language: Language, page: Published, document: Pick<Last, "bytes" | "headers">) => {
      const { bytes } = document;
      const entry = { ...document, key: page.key, at: clock.now(), own: page.language };
      last.set(`${language} ${path}`, entry, clock.now(), { lifetime: KEEP_LAST, weight: bytes.length });
    },
    /** Drops what is kept of a page that has become private. */
    drop: (key: string) => refused.set(key, clock.now(), clock.now(), { lifetime: KEEP_LAST }),
  };
};
