import { screenAt } from "../../web/screens";
import { type Config, ConfigError } from "../core/config";
import { AppError, describeError, notFound, refusal } from "../core/errors";
import type { Log } from "../core/log";
import { failureOf } from "../db/errors";
import { type Clock, isoTime } from "../lib/time";
import { peerAddress } from "../modules/accounts/client-address";
import type { Pages } from "../modules/status-page/access/pages";
import { DAY } from "../shared/limits";
import type { createApp } from "./app";
import { compressJson } from "./http-encoding";
import {
  addSecurityHeaders,
  createDocument,
  createScreenDocuments,
  createStaticFiles,
  createWallDocument,
} from "./pages/documents";
import { createDomainFinder, createDomainRoutes, createTlsAsk, TLS_ASK } from "./pages/domain-routes";
import { createMissingDocument } from "./pages/missing-page";
import { ICON_FILES } from "./pages/page-files";
import { createPreviewDocument, createStatusDocument, PREVIEW_PATH } from "./pages/status-page";
import { createStatusRoutes } from "./pages/status-routes";
import { type SubscriptionPage, subscribeQuery, subscriptionLink } from "./pages/subscription-page";
import {
  assertOwnHost,
  assertUsable,
  bodyLimit,
  createDiscard,
  isPing,
  isUpload,
  MAX_BODY,
  readBounded,
  readPingBody,
  tooLarge,
} from "./request-limits";

const json = (error: AppError) => Response.json(refusal(error), { status: error.status });
const nothing = () => json(notFound("This address"));
const TEXT = { headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=3600" } };

/** Answers an error outside the app, for example on a status page, and logs it unless it is an AppError. */
const refuseWith =
  (log: Log, request: Request, path: string) =>
  (error: unknown): Response => {
    if (error instanceof AppError) return json(error);
    log.error("request failed", { method: request.method, path, error: describeError(error) });
    return json(failureOf(error));
  };

const firstSegment = (path: string): string => path.split("/", 2)[1] ?? "";

/** Paths with a dot are files, because no screen of the console has one. */
const isFileName = (path: string): boolean => /\.|%2e/i.test(path);

/** Other names of /health that probes ask by convention: without them, a probe would get a page that knows no failure. */
const HEALTH_NAMES = /^\/(healthz|readyz|livez|ready|-\/healthy)\/?$/;

/** The path without BASE_PATH, which a reverse proxy may have removed already. */
const innerPath = (pathname: string, basePath: string): string => {
  const path =
    basePath !== "/" && `${pathname}/`.startsWith(basePath) ? `/${pathname.slice(basePath.length)}` : pathname;
  return HEALTH_NAMES.test(path) ? "/health" : path;
};

/** Search engines may read status pages and their resources only. */
const robotsOf = (base: string): string =>
  [
    "User-agent: *",
    "Disallow: /",
    "status",
    "api/status/data",
    "api/status/style.css",
    "api/status/feed.xml",
    "api/status/maintenance.ics",
    "*.js$",
    "*.css$",
  ]
    .map((line, index) => (index < 2 ? line : `Allow: ${base}${line}`))
    .concat(`Disallow: ${base}status/config`, "")
    .join("\n");

/** Days until a copy of security.txt is out of date: RFC 9116 recommends less than a year. */
const SECURITY_TEXT_DAYS = 180;

/** @see https://www.rfc-editor.org/rfc/rfc9116 */
const securityText = ({ securityContact, publicUrl }: Config, now: number): string =>
  [
    `Contact: ${securityContact}`,
    `Expires: ${isoTime(now + SECURITY_TEXT_DAYS * DAY)}`,
    "Preferred-Languages: en, zh",
    ...(publicUrl ? [`Canonical: ${publicUrl}/.well-known/security.txt`] : []),
    "",
  ].join("\n");

type Parts = {
  config: Config;
  clock: Clock;
  log: Log;
  app: ReturnType<typeof createApp>;
  /** The directory of the built page. */
  directory: string;
  pages: Pages;
  /** The page of a subscriber. */
  subscription: SubscriptionPage;
  /** Whether the key in the address of a wall exists. */
  isWall: (key: string) => Promise<boolean>;
};

/** @throws {ConfigError} naming the setting that prevents listening */
const serve = ({ host, port }: Config, options: Omit<Parameters<typeof Bun.serve>[0], "hostname" | "port">) => {
  try {
    return Bun.serve({ ...options, hostname: host, port } as Parameters<typeof Bun.serve>[0]);
  } catch (error) {
    const isPortInUse = (error as { code?: unknown }).code === "EADDRINUSE";
    const setting = isPortInUse ? `PORT=${port}` : `HOST=${host} with PORT=${port}`;
    throw new ConfigError(
      `${setting} is not usable: ${isPortInUse ? "something listens there already" : describeError(error)}`,
    );
  }
};

type Arrived = WeakMap<Request, Request>;

/** Passes requests to the app, with the bodies that it reads. `arrived` gets the original request of each derived one. */
const createPass =
  ({ config, app }: Pick<Parts, "config" | "app">, arrived: Arrived) =>
  /** `path` replaces the path of `url`. */
  async (request: Request, url: URL, path: string): Promise<Response> => {
    const bodiless = request.method === "GET" || request.method === "HEAD";
    const limit = bodyLimit(path, request.headers, config);
    if (Number(request.headers.get("content-length")) > limit) throw tooLarge(limit);
    const chunked = !bodiless && !isUpload(path) && request.headers.has("transfer-encoding");
    const hasPing = !bodiless && isPing(path);
    if (path === url.pathname && !chunked && !hasPing) return app.fetch(request);
    const body = hasPing ? await readPingBody(request) : chunked ? await readBounded(request, limit) : request.body;
    url.pathname = path;
    const { method, headers, signal } = request;
    const inner = new Request(url, { method, headers, signal, body: bodiless ? null : body });
    arrived.set(inner, request);
    return app.fetch(inner);
  };

/**
 * Routes requests. Those to the domain of a status page get that page only. Otherwise, paths that begin with the first segment of a
 * route go to the app; /status and /api/docs are separate pages; names with a dot are files of the page, and other paths are
 * screens of the console, with status 404 for unknown ones.
 */
const createRouter = async (
  { config, clock, log, app, directory, pages, subscription, isWall }: Parts,
  arrived: Arrived,
) => {
  const screenDocument = createScreenDocuments(directory, config);
  const missingDocument = createDocument(directory, "index.html", config, { status: 404 });
  const wallDocument = createWallDocument([screenDocument("wall"), missingDocument], isWall);
  const docsDocument = createDocument(directory, "docs.html", config);
  const previewDocument = createPreviewDocument(directory, { config });
  const staticFile = await createStaticFiles(directory);
  const routes = new Set(app.routes.map(({ path }) => firstSegment(path)));
  const status = createStatusRoutes({
    ...{ config, clock, pages, document: createStatusDocument(directory, { config, clock, log }) },
    call: async (request, url, changed) => {
      const { method, headers, signal } = request;
      const inner = new Request(url, { method, headers, signal, ...changed });
      arrived.set(inner, request);
      return app.fetch(inner);
    },
    peers: () => app.server,
  });
  const pass = createPass({ config, app }, arrived);
  const pageAtDomain = createDomainFinder({ config, pages });
  const missing = createMissingDocument(directory, { config, pages });
  const domainAnswer = createDomainRoutes({ directory, status, subscription, staticFile, pass, missing });
  const isPageDomain = createTlsAsk({ config, pages });

  /** The files and documents outside the app. */
  const screenAnswer = (request: Request, url: URL, path: string): Response | Promise<Response> => {
    if (path === "/robots.txt") return new Response(robotsOf(config.basePath), TEXT);
    if (path === "/.well-known/security.txt" && config.securityContact)
      return new Response(securityText(config, clock.now()), TEXT);
    if (path === PREVIEW_PATH) return previewDocument(request);
    if (isFileName(path)) return staticFile(request, ICON_FILES[path] ?? path).then((file) => file ?? nothing());
    const screen = screenAt(path)?.name;
    if (screen === "wall") return wallDocument(request, url);
    return screen ? screenDocument(screen)(request) : missingDocument(request);
  };

  /** `path` is the path of the URL without BASE_PATH. */
  return async (request: Request, parsed: URL | null, path: string): Promise<Response> => {
    const url = assertUsable(parsed, request);
    const slug = await pageAtDomain(request);
    if (slug !== null) return (await domainAnswer(request, url, slug)) ?? nothing();
    assertOwnHost(config, request, path);
    const bodiless = request.method === "GET" || request.method === "HEAD";
    if (bodiless && /^\/api\/docs\/?$/.test(path)) return docsDocument(request);
    const query = request.method === "POST" ? subscribeQuery(path) : null;
    if (query !== null) {
      url.search = query;
      return pass(request, url, "/api/status/subscribe");
    }
    if (routes.has(firstSegment(path))) return pass(request, url, path);
    const link = subscriptionLink(path);
    if (link) return (await subscription(request, link)) ?? nothing();
    const isPage = firstSegment(path) === "status" && path !== PREVIEW_PATH;
    const answer = isPage ? await status(request, url, path) : null;
    if (answer) return answer;
    if (!bodiless) return nothing();
    if (path === TLS_ASK) {
      const isKnown = await isPageDomain(request, url, peerAddress(request, app.server));
      return isKnown ? new Response("yes\n") : nothing();
    }
    return screenAnswer(request, url, path);
  };
};

/** Starts listening. */
export const listen = async (parts: Parts) => {
  const { config, clock, log, app } = parts;
  /** The original request of each derived one, because only the original has a peer address. */
  const arrived: Arrived = new WeakMap();
  const route = await createRouter(parts, arrived);
  const discard = createDiscard(clock);
  const server = serve(config, {
    // Above the product's limits, so that the errors above are answered by them without reading the body.
    maxRequestBodySize: Math.max(1024 * MAX_BODY, 2 * config.importMaxBytes),
    idleTimeout: 30,
    fetch: async (request) => {
      const url = URL.parse(request.url);
      const path = innerPath(url?.pathname ?? "/", config.basePath);
      const answer = await route(request, url, path).catch(refuseWith(log, request, path));
      if (answer.status >= 400) await discard(request);
      const response = await compressJson(request, answer);
      addSecurityHeaders(response, request, path, config.publicUrl);
      return response;
    },
    error: (error) => {
      log.error("request failed", { error: describeError(error) });
      return json(new AppError("internal"));
    },
  });
  // As Elysia's own listen does: handlers need it for the peer's address.
  app.server = {
    requestIP: (request: Request) => server.requestIP(arrived.get(request) ?? request),
    timeout: (request: Request, seconds: number) => server.timeout(arrived.get(request) ?? request, seconds),
  } as unknown as typeof app.server;
  return server;
};
