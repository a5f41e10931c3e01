/**
 * Requests to RDAP servers.
 * @see https://www.rfc-editor.org/rfc/rfc7480
 */
import { USER_AGENT } from "../../build-info";
import { AddressBlocked } from "../address-errors";
import { decompress } from "../http/body";
import { type Response, send } from "../http/client";
import { LocalFailure } from "../local-failure";
import type { Caller, Outbound } from "../outbound";

/**
 * Why a registry has no answer: it can't be reached, wants fewer requests, or answers something else; too many requests wait
 * for it here; or the list of registries can't be read.
 */
const UNAVAILABLE_REASONS = {
  silent: "it does not answer",
  limited: "it wants fewer requests",
  wrong: "its answer is not valid",
  busy: "too many requests wait for it",
  no_list: "the list of registries at data.iana.org can't be read",
} as const;
type UnavailableReason = keyof typeof UNAVAILABLE_REASONS;

/** A registry has no answer, which says nothing about the domain. `retryAfter` is in milliseconds. */
export class RegistryUnavailable extends Error {
  override name = "RegistryUnavailable";
  constructor(
    readonly reason: UnavailableReason,
    readonly retryAfter?: number,
  ) {
    super(UNAVAILABLE_REASONS[reason]);
  }
}

export type Asking = {
  outbound: Outbound;
  signal: AbortSignal;
  /** Whether redirects to addresses without TLS are followed. */
  isPlainAllowed: boolean;
  allowPrivate: boolean;
};

const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];

const headersOf = () =>
  new Headers({
    accept: "application/rdap+json, application/json",
    "accept-encoding": "gzip",
    "user-agent": USER_AGENT,
  });

const requestOnce = async (url: URL, { outbound, signal, allowPrivate }: Asking): Promise<Response> => {
  const caller: Caller = { key: "registries", lookups: 32, allowPrivate };
  const ignore = () => {};
  try {
    return await send(
      {
        ...{ url, method: "GET", headers: headersOf(), body: "", signal, caller, keepBody: true },
        ...{ onAddress: ignore, onCertificate: ignore, onPhase: ignore },
      },
      outbound,
    );
  } catch (error) {
    if (error instanceof LocalFailure) throw error;
    throw new RegistryUnavailable(error instanceof AddressBlocked ? "wrong" : "silent");
  }
};

/** Seconds or a date, in milliseconds from `now`; undefined for anything else. */
const retryAfterOf = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined;
  const milliseconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
};

const nextUrl = (url: URL, { headers }: Response, isPlainAllowed: boolean): URL => {
  const next = URL.parse(headers.get("location") ?? "", url.href);
  const schemes = isPlainAllowed ? ["https:", "http:"] : ["https:"];
  if (!next || !schemes.includes(next.protocol)) throw new RegistryUnavailable("wrong");
  return next;
};

const bodyOf = async ({ body, isCut, headers }: Response, signal: AbortSignal): Promise<unknown> => {
  const content = await decompress({ bytes: body, isCut }, headers.get("content-encoding"), signal);
  if (content === null || content.isCut) throw new RegistryUnavailable("wrong");
  try {
    return JSON.parse(content.bytes.toString("utf8"));
  } catch {
    throw new RegistryUnavailable("wrong");
  }
};

/**
 * Requests JSON, and follows a few redirects. Undefined when the server has nothing of that name.
 * @throws {RegistryUnavailable | LocalFailure}
 */
export const requestJson = async (address: string, asking: Asking, now: number): Promise<unknown> => {
  let url = new URL(address);
  for (let redirects = 0; ; redirects++) {
    const response = await requestOnce(url, asking);
    const { status, headers } = response;
    if (REDIRECTS.includes(status) && redirects < MAX_REDIRECTS) {
      url = nextUrl(url, response, asking.isPlainAllowed);
      continue;
    }
    if (status === 200) return bodyOf(response, asking.signal);
    // A page for people is of something in front of the server, or in place of it.
    if (status === 404 && !headers.get("content-type")?.includes("html")) return undefined;
    if (status === 429 || status === 403)
      throw new RegistryUnavailable("limited", retryAfterOf(headers.get("retry-after"), now));
    throw new RegistryUnavailable(status >= 500 ? "silent" : "wrong");
  }
};
