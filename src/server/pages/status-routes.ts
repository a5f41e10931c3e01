/** Everything that is answered below /status, besides the screens of the console. */
import type { Config } from "../../core/config";
import { AppError } from "../../core/errors";
import { isHttps } from "../../lib/host";
import type { Clock } from "../../lib/time";
import { clientAddress, type PeerSource } from "../../modules/accounts/client-address";
import { marked } from "../../modules/status-page/access/gate";
import type { Pages } from "../../modules/status-page/access/pages";
import { statuspageAddress } from "../../modules/status-page/statuspage/statuspage";
import { readBounded } from "../request-limits";
import { createRootCall } from "./at-root";
import { homePath, type Place, placeAtDomain, placeAtHub } from "./place";
import {
  canonicalStatusPath,
  type createStatusDocument,
  statusHistory,
  statusIncident,
  statusSlug,
} from "./status-page";

/** A form with one password. */
const MAX_FORM = 4096;

/** What else is below the address of a page; calls below /api/status answer it. */
export const RESOURCES = [
  ...["data.json", "history.json", "style.css", "feed.xml", "feed.rss", "maintenance.ics", "subscribe", "embed"],
  ...["badge/page.svg", "badge/[a-z0-9]+.svg", "incidents/[a-z0-9]+.json"],
] as const;
const RESOURCE = new RegExp(`^(/status(?:/[^/]+)?)/(${RESOURCES.join("|").replaceAll(".", "\\.")})$`);

/** The call that answers an address below a page; null for other addresses. */
const resourceCall = (path: string): { slug: string | undefined; call: string } | null => {
  const [, page = "", name = ""] = RESOURCE.exec(path) ?? [];
  const slug = page ? statusSlug(page) : null;
  return slug === null ? null : { slug, call: `/api/status/${name.replace(/\.json$/, "")}` };
};

/** The page whose password is sent to an address; null for other addresses. */
const entryOf = (path: string): { slug: string | undefined } | null => {
  const [match, page = ""] = /^(\/status(?:\/[^/]+)?)\/access$/.exec(path) ?? [];
  const slug = match ? statusSlug(page) : null;
  return slug === null ? null : { slug };
};

type Parts = {
  config: Config;
  clock: Clock;
  pages: Pages;
  document: ReturnType<typeof createStatusDocument>;
  /** Answers a call of the API in place of a request, whose method and headers may be replaced. */
  call: (request: Request, url: URL, changed?: Pick<RequestInit, "method" | "headers">) => Promise<Response>;
  peers: () => PeerSource;
};

/** The password in the form of a request. @throws {AppError} too_large */
const sentPassword = async (request: Request): Promise<string> => {
  const text = new TextDecoder().decode(await readBounded(request, MAX_FORM));
  return new URLSearchParams(text).get("password") ?? "";
};

const leadTo = (location: string, headers: Record<string, string> = {}) =>
  new Response(null, { status: 303, headers: { location, ...headers } });

/** Answers the addresses of status pages; null for other ones. `atDomain`: a domain of the page stands for its address. */
export const createStatusRoutes = ({ config, clock, pages, document, call, peers }: Parts) => {
  const callAtRoot = createRootCall({ clock, call });
  /** Checks a password, and opens the page or shows the form again. */
  const enter = async (request: Request, url: URL, place: Place): Promise<Response | null> => {
    const page = await pages.gated(place.slug);
    if (!page) return null;
    const path = homePath(place);
    if (request.method !== "POST" || page.access !== "password") return leadTo(path + url.search);
    const attempt = {
      password: await sentPassword(request),
      address: clientAddress({ config }, request, peers()),
      path,
      isSecure: isHttps(request, config.publicUrl),
    };
    try {
      const cookie = await pages.enter(page, attempt);
      if (cookie) return leadTo(path + url.search, { "set-cookie": cookie });
      return document.refuse(request, page, place, { status: 401 });
    } catch (error) {
      if (!(error instanceof AppError && error.code === "rate_limited")) throw error;
      return document.refuse(request, page, place, { status: 429, retryAfter: error.details.retryAfter ?? 1 });
    }
  };

  return async (request: Request, url: URL, path: string, atDomain = false): Promise<Response | null> => {
    const placeOf = (slug: string | undefined) =>
      atDomain && slug !== undefined ? placeAtDomain(slug) : placeAtHub(slug, config);
    const entry = entryOf(path);
    if (entry) return enter(request, url, placeOf(entry.slug));
    if (request.method !== "GET" && request.method !== "HEAD") return null;
    const cookies = request.headers.get("cookie");
    const programs = { key: url.searchParams.get("key") ?? undefined, cookies };
    const address = statuspageAddress(path);
    if (address) {
      const pass = await pages.admit(address.slug, programs);
      const answer = pass && (await pages.statuspage(pass, address.name));
      return answer && pass ? marked(pass, await answer(request)) : null;
    }
    const resource = resourceCall(path);
    if (resource) {
      const inner = new URL(url);
      inner.pathname = resource.call;
      inner.searchParams.delete("page");
      if (resource.slug !== undefined) inner.searchParams.set("page", resource.slug);
      const hasPaths = /\/(data|history|incidents\/\w+)$/.test(resource.call);
      return atDomain && hasPaths && resource.slug !== undefined
        ? callAtRoot(request, inner, resource.slug)
        : call(request, inner);
    }
    // A key is for programs: browsers would keep it in their history.
    const visit = async (slug: string | undefined) => {
      const pass = await pages.admit(slug, { cookies });
      const page = pass && (await pages.published(pass));
      return page && pass ? { pass, page } : null;
    };
    const incident = statusIncident(path);
    if (incident) {
      const { slug, key } = incident;
      return document.show(request, { place: placeOf(slug), key }, () => visit(slug));
    }
    const asked = statusHistory(path, url.searchParams);
    if (asked) {
      const { slug, history } = asked;
      return document.show(request, { place: placeOf(slug), history }, () => visit(slug));
    }
    const slug = statusSlug(path);
    if (slug === null) return null;
    const canonical = atDomain ? null : canonicalStatusPath(path, slug);
    if (canonical) {
      const headers = {
        location: config.basePath.slice(0, -1) + canonical + url.search,
        "cache-control": "public, max-age=3600",
      };
      return new Response(null, { status: 301, headers });
    }
    return document.show(request, { place: placeOf(slug) }, () => visit(slug));
  };
};
