import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { staticPlugin } from "@elysiajs/static";
import { Elysia } from "elysia";
import type { ScreenName } from "../../../web/screens";
import type { Config } from "../../core/config";
import { acceptedLanguage } from "../../lib/headers/accepted-language";
import { isHttps } from "../../lib/host";
import type { Language } from "../../shared/language";
import { logoAddress } from "../../shared/status-page";
import { acceptedCoding, type CachedResponse, createCachedResponse } from "../http-encoding";
import { firstRequestsScript } from "./first-requests";

/**
 * The content security policy of the console: own scripts, styles and connections, and data: images. `ancestors` may
 * frame the document.
 */
export const contentSecurityPolicy = (imageOrigin = "", ancestors: "'none'" | "'self'" = "'none'"): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `img-src 'self' data:${imageOrigin && ` ${imageOrigin}`}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    `frame-ancestors ${ancestors}`,
    "require-trusted-types-for 'script'",
  ].join("; ");

/** The origin of a status page's logo as an img-src; empty for a data: image or without a logo. */
export const logoOrigin = (logoUrl: string): string => logoAddress(logoUrl)?.origin ?? "";

/** The policy of responses that are not pages: nothing may be loaded or framed. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

const SECURITY_HEADERS: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
};

/**
 * Adds the security headers to a response without replacing existing ones. Search engines may index only responses
 * with a header `x-robots-tag: all`.
 */
export const addSecurityHeaders = (response: Response, request: Request, path: string, publicUrl: string): void => {
  const { headers } = response;
  const add = (name: string, value: string) => headers.has(name) || headers.set(name, value);
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  if (headers.get("x-robots-tag") === "all") headers.delete("x-robots-tag");
  else add("x-robots-tag", "noindex");
  // Files of the page need only some of the headers, and a page loads many files.
  if (headers.has("x-content-type-options")) return;
  const isFramed = headers.get("content-security-policy")?.endsWith("frame-ancestors *");
  for (const name in SECURITY_HEADERS)
    if (!(isFramed && name === "x-frame-options")) add(name, SECURITY_HEADERS[name] as string);
  // Badges are shown on other sites.
  add("cross-origin-resource-policy", path.startsWith("/badge/") ? "cross-origin" : "same-origin");
  add("content-security-policy", NO_PAGE);
  // Browsers ignore it on plain http, and log a warning.
  if (isHttps(request, publicUrl)) add("cross-origin-opener-policy", "same-origin");
};

/** A JSON text that is safe inside a script element. */
export const embeddable = (value: unknown) =>
  JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");

/** Who signs users in besides the hub, as far as the settings say. */
const singleSignOnOf = ({ oidc, authHeader }: Config) => {
  if (authHeader.name) return { kind: "proxy", name: "", available: true };
  return oidc.issuer ? { kind: "oidc", name: oidc.name, available: true } : null;
};

/**
 * A document of the built page in `directory`, with BASE_PATH as its base address and the settings that the page reads.
 * @throws {Error} when the page has not been built
 */
export const readDocument = (directory: string, name: string, config: Config): string => {
  const file = join(directory, name);
  if (!existsSync(file)) throw new Error("The page is missing: run `bun run build` first.");
  const { links, registration, passwordLogin, defaultLanguage, publicUrl, apiTimeout, minInterval } = config;
  const alerts = { groupSeconds: config.alertGroupSeconds, flapChanges: config.alertFlapChanges };
  const settings = embeddable({
    ...{ links, registration, passwordLogin, defaultLanguage, publicUrl, apiTimeout, minInterval, alerts },
    singleSignOn: singleSignOnOf(config),
  });
  return readFileSync(file, "utf8")
    .replace(/<base href="[^"]*"\s*\/?>/, () => `<base href="${config.basePath}">`)
    .replace(/(<script[^>]*id="settings"[^>]*>)[\s\S]*?(<\/script>)/, (_, open, close) => open + settings + close);
};

/** A document in a language: readers and screen readers that run no script, or not yet, take it from the `html` element. */
export const inLanguage = (document: string, language: Language): string =>
  document.replace(/<html lang="[^"]*"/, () => `<html lang="${language}"`);

/** The names of the files that belong to each screen and to each language, as the build writes them. */
type Preloads = { screens: Record<string, string[]>; texts: Record<Language, string[]> };

const readPreloads = (directory: string): Preloads => {
  const file = join(directory, "preloads.json");
  return existsSync(file)
    ? JSON.parse(readFileSync(file, "utf8"))
    : { screens: {}, texts: { "zh-CN": [], "en-US": [] } };
};

/**
 * Serves the document of a screen, which begins to load its code and its texts with the main script, not after that has run. The
 * first screens of visitors are in the main script, and have nothing to load besides.
 */
export const createScreenDocuments = (directory: string, config: Config) => {
  const { screens, texts } = readPreloads(directory);
  const preload = (name: string) =>
    name.endsWith(".css")
      ? `<link rel="preload" as="style" href="./${name}">`
      : `<link rel="modulepreload" crossorigin href="./${name}">`;
  const documents = new Map<ScreenName, ReturnType<typeof createDocument>>();
  return (screen: ScreenName) => {
    const own = screens[screen];
    const extend = (document: string, language: Language): string =>
      own
        ? document
            .replace("</head>", () => `${[...own, ...texts[language]].map(preload).join("")}</head>`)
            // Before the stylesheet, which scripts after it wait for.
            .replace(/<script src="[^"]*theme\.js"><\/script>/, (theme) => theme + firstRequestsScript(screen))
        : document;
    const document = documents.get(screen) ?? createDocument(directory, "index.html", config, { extend });
    documents.set(screen, document);
    return document;
  };
};

type DocumentOptions = { status?: number; extend?: (document: string, language: Language) => string };

/** Serves a document that differs by the viewer's language only: the console's, or that of the page about the API. */
export const createDocument = (
  directory: string,
  name: "index.html" | "docs.html",
  config: Config,
  { status = 200, extend = (document) => document }: DocumentOptions = {},
) => {
  const document = readDocument(directory, name, config);
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentSecurityPolicy(),
    vary: "accept-encoding, accept-language",
  };
  const answer = (language: Language) =>
    createCachedResponse(extend(inLanguage(document, language), language), headers, { status, isConstant: true });
  const answers: Record<Language, CachedResponse> = { "zh-CN": answer("zh-CN"), "en-US": answer("en-US") };
  return (request: Request) =>
    answers[acceptedLanguage(request.headers.get("accept-language")) ?? config.defaultLanguage](request);
};

/** The folders of the built page: in each lies every script, style and picture in one content coding. */
const CODINGS = ["br", "gzip"] as const;

/** The build puts a hash of the content into names, except those that must stay: theme.js, first-requests.js, page-access.js and .css, the service worker, its manifest and icons. */
const HASHED_NAME = /-[\da-z]{8}\./;

/**
 * Serves the document of the wall, whose address has a secret: it is not kept, and not sent to other addresses as Referer. An
 * address with an unknown key is answered 404.
 */
export const createWallDocument = (
  [known, unknown]: readonly [CachedResponse, CachedResponse],
  isWall: (key: string) => Promise<boolean>,
) => {
  return async (request: Request, { searchParams }: URL): Promise<Response> => {
    const key = searchParams.get("key");
    // Without a database the wall opens, and says so itself.
    const isKnown = key === null || (await isWall(key).catch(() => true));
    const response = await (isKnown ? known : unknown)(request);
    response.headers.set("cache-control", "no-store");
    response.headers.set("referrer-policy", "no-referrer");
    return response;
  };
};

const decompress = (response: Response): Response => {
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(response.body?.pipeThrough(new DecompressionStream("gzip")) ?? null, { headers });
};

/**
 * Serves the scripts, styles and pictures of the built page in `directory`, in a content coding that the client accepts.
 * The result gives null for a path without a file.
 */
export const createStaticFiles = async (directory: string) => {
  const app = new Elysia({ handler: { standardHostname: false } });
  for (const coding of CODINGS)
    app.use(
      staticPlugin({
        assets: join(directory, coding),
        prefix: `/${coding}`,
        alwaysStatic: true,
        indexHTML: false,
        // Files with hashed names never change, and the plugin's ETag has no quotes.
        etag: false,
        headers: { "content-encoding": coding, vary: "accept-encoding", "x-content-type-options": "nosniff" },
      }),
    );
  await app.modules;

  return async (request: Request, path: string): Promise<Response | null> => {
    const coding = acceptedCoding(request, CODINGS);
    const url = new URL(`/${coding ?? "gzip"}${path}`, "http://localhost");
    const file = await app.fetch(new Request(url, { method: request.method }));
    if (!file.ok) return null;
    const response = coding ? file : decompress(file);
    response.headers.set(
      "cache-control",
      HASHED_NAME.test(path)
        ? "public, max-age=31536000, immutable"
        : path === "/service-worker.js"
          ? "no-cache"
          : "public, max-age=3600",
    );
    return response;
  };
};
