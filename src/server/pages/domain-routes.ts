/** Everything that is answered at the own domains of status pages, and the question of a proxy whether a domain is one. */
import type { Config } from "../../core/config";
import { memoize } from "../../lib/headers/memoize";
import { hostnameOf, isOwnHost, parseUnmapped } from "../../lib/host";
import type { Pages } from "../../modules/status-page/access/pages";
import { pathOf } from "../../modules/status-page/pages/address";
import { type createMissingDocument, wantsDocument } from "./missing-page";
import { ICON_FILES, readPageFiles } from "./page-files";
import type { createStatusRoutes } from "./status-routes";
import { type SubscriptionPage, subscribeQuery, subscriptionLink } from "./subscription-page";

const TEXT = { headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=3600" } };
const ROBOTS = "User-agent: *\nAllow: /\nDisallow: /subscription/\n";

type Finder = { config: Config; pages: Pick<Pages, "slugOfDomain"> };

const canonicalHost = (host: string | null): string => hostnameOf(host)?.replace(/\.$/, "") ?? "";

/** The slug of the page at whose domain a request arrives; null for requests to the hub. */
export const createDomainFinder = ({ config, pages }: Finder) => {
  /** The canonical host of a Host header; empty for the hub. Every request needs it, and few hosts are asked for. */
  const foreignHost = memoize((header) => {
    const host = canonicalHost(header);
    return isOwnHost(host, config.publicUrl) ? "" : host;
  });
  return ({ headers }: Request): Promise<string | null> | null => {
    const host = foreignHost(headers.get("host") ?? "");
    return host === "" ? null : pages.slugOfDomain(host);
  };
};

/** The address that a proxy asks before it gets a certificate. */
export const TLS_ASK = "/internal/tls-ask";

/** Headers that proxies add to requests of others. */
const FORWARDED = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

/**
 * Answers whether a domain belongs to a page, to programs on this machine only: as `on_demand_tls` of Caddy asks. Requests that a
 * proxy on this machine passes on come from this machine too, so those with its headers are refused.
 */
export const createTlsAsk = ({ config, pages }: Finder) => {
  return async ({ headers }: Request, { searchParams }: URL, peer: string): Promise<boolean> => {
    if (parseUnmapped(peer)?.range() !== "loopback" || FORWARDED.some((name) => headers.has(name))) return false;
    const [sent = "", ...others] = searchParams.getAll("domain");
    const host = canonicalHost(sent.includes(":") ? null : sent);
    if (others.length > 0 || host === "" || isOwnHost(host, config.publicUrl)) return false;
    return (await pages.slugOfDomain(host)) !== null;
  };
};

type Parts = {
  directory: string;
  status: ReturnType<typeof createStatusRoutes>;
  subscription: SubscriptionPage;
  staticFile: (request: Request, path: string) => Promise<Response | null>;
  /** Passes a request with its body to a call of the API. */
  pass: (request: Request, url: URL, path: string) => Promise<Response>;
  missing: ReturnType<typeof createMissingDocument>;
};

/**
 * Answers requests at the domain of the page with a slug; null for everything that is not about this page, unless a browser opens
 * it.
 */
export const createDomainRoutes = ({ directory, status, subscription, staticFile, pass, missing }: Parts) => {
  let files: ReadonlySet<string> | undefined;
  const answerAt = async (request: Request, url: URL, slug: string): Promise<Response | null> => {
    const { pathname } = url;
    const path = pathOf(slug) + pathname;
    const query = request.method === "POST" ? subscribeQuery(path) : null;
    if (query !== null) {
      url.search = query;
      return pass(request, url, "/api/status/subscribe");
    }
    const link = subscriptionLink(path);
    if (link) return subscription(request, link, true);
    const answer = await status(request, url, path, true);
    if (answer || (request.method !== "GET" && request.method !== "HEAD")) return answer;
    if (pathname === "/robots.txt") return new Response(ROBOTS, TEXT);
    const file = ICON_FILES[pathname] ?? pathname;
    files ??= readPageFiles(directory);
    return files.has(file) ? staticFile(request, file) : null;
  };
  return async (request: Request, url: URL, slug: string): Promise<Response | null> => {
    const answer = await answerAt(request, url, slug);
    const isMissing = answer === null || answer.status === 404;
    return isMissing && wantsDocument(request) ? missing(request, slug) : answer;
  };
};
