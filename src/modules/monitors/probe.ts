import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { expectedLabel, isExpected } from "../../shared/expected-status";
import { METHODS_WITH_BODY, type Method } from "../../shared/limits";
import { version } from "../../version";
import { isPublicAddress } from "./addresses";
import { failureOf } from "./failures";

/** What one request needs to know. */
export type Target = {
  url: string;
  method: Method;
  headers: Record<string, string>;
  body: string;
  /** Seconds. */
  timeout: number;
  expectedStatus: number;
  /** Whether addresses off the public internet may be connected to. */
  allowPrivate: boolean;
};

/** What one request found. `error` begins with a word that stays the same for good; see failures.ts. */
export type Outcome = {
  up: boolean;
  /** Milliseconds from before name resolution until the body was read; null without an answer. */
  responseTime: number | null;
  statusCode: number | null;
  error: string | null;
  /** Epoch milliseconds. */
  certExpiresAt: number | null;
};

const MAX_BODY = 1024 * 1024;
const MAX_REDIRECTS = 10;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Not for the eyes of whoever a redirect leads to. */
const PRIVATE_HEADERS = ["authorization", "cookie", "proxy-authorization", "host"];

type Hop = { url: URL; method: Method; headers: Headers; body: string };

/** Makes one request, follows its redirects, and tells what came of it. Never throws. */
export const probe = async (target: Target): Promise<Outcome> => {
  const signal = AbortSignal.timeout(target.timeout * 1000);
  const seen: { certExpiresAt: number | null } = { certExpiresAt: null };
  const startedAt = performance.now();
  try {
    let hop = firstHop(target);
    for (let redirects = 0; ; redirects++) {
      const response = await request(hop, target.allowPrivate, signal, seen);
      const location = response.headers.get("location");
      const follow =
        REDIRECTS.includes(response.status) && location !== null && !expectsRedirect(target.expectedStatus);
      await readBody(response);
      if (!follow) {
        const responseTime = Math.round((performance.now() - startedAt) * 10) / 10;
        const up = isExpected(response.status, target.expectedStatus);
        const error = up ? null : `status ${response.status}, expected ${expectedLabel(target.expectedStatus)}`;
        return { up, responseTime, statusCode: response.status, error, certExpiresAt: seen.certExpiresAt };
      }
      if (redirects === MAX_REDIRECTS) throw new Refused(`redirects: more than ${MAX_REDIRECTS} in a row`);
      hop = nextHop(hop, response.status, location);
    }
  } catch (error) {
    const reason = error instanceof Refused ? error.message : failureOf(error, target.timeout);
    return { up: false, responseTime: null, statusCode: null, error: reason, certExpiresAt: seen.certExpiresAt };
  }
};

/** A request that we ourselves do not make, with the sentence that says why. */
class Refused extends Error {}

const expectsRedirect = (expected: number) => expected === 3 || Math.floor(expected / 100) === 3;

/** What a percent sign in a password stands for, or the sign itself where it stands for nothing. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const firstHop = ({ url: text, method, headers: sent, body }: Target): Hop => {
  const url = new URL(text);
  const headers = new Headers(sent);
  if (!headers.has("user-agent")) headers.set("user-agent", `Wakeful/${version}`);
  if ((url.username || url.password) && !headers.has("authorization")) {
    const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
    headers.set("authorization", `Basic ${Buffer.from(credentials).toString("base64")}`);
  }
  return { url, method, headers, body: METHODS_WITH_BODY.includes(method) ? body : "" };
};

const nextHop = (hop: Hop, status: number, location: string): Hop => {
  const url = URL.parse(location, hop.url.href);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Refused("redirects: to something that is not an http address");
  const headers = new Headers(hop.headers);
  if (url.origin !== hop.url.origin) for (const name of PRIVATE_HEADERS) headers.delete(name);
  // As browsers do: 303 always, and 301 and 302 after a POST, go on as a GET without the body.
  const becomesGet = status === 303 ? hop.method !== "HEAD" : status < 303 && hop.method === "POST";
  if (becomesGet) headers.delete("content-type");
  return { url, headers, method: becomesGet ? "GET" : hop.method, body: becomesGet ? "" : hop.body };
};

const request = async (
  { url, method, headers, body }: Hop,
  allowPrivate: boolean,
  signal: AbortSignal,
  seen: { certExpiresAt: number | null },
): Promise<Response> => {
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  const address = new URL(url);
  address.username = "";
  address.password = "";
  address.hash = "";
  if (!allowPrivate) {
    const pinned = await publicAddressOf(hostname, signal);
    if (pinned !== hostname) {
      // The connection goes to the very address that was judged: the name could have another one a moment later.
      if (!headers.has("host")) headers.set("host", url.host);
      address.hostname = isIP(pinned) === 6 ? `[${pinned}]` : pinned;
    }
  }
  const tls = {
    serverName: isIP(hostname) ? undefined : hostname,
    checkServerIdentity: (_: string, certificate: PeerCertificate) => {
      seen.certExpiresAt = Date.parse(certificate.valid_to) || null;
      return checkServerIdentity(hostname, certificate);
    },
  };
  const options: BunFetchRequestInit = {
    method,
    headers,
    signal,
    keepalive: false,
    redirect: "manual",
    decompress: false,
    ...(body !== "" && { body }),
    ...(url.protocol === "https:" && { tls }),
  };
  return fetch(address.href, options);
};

/** The first public address of a name. */
const publicAddressOf = async (hostname: string, signal: AbortSignal): Promise<string> => {
  const addresses = isIP(hostname) ? [hostname] : await resolve(hostname, signal);
  const address = addresses.find(isPublicAddress);
  if (!address) throw new Refused("blocked: the address is private, and only administrators may check those");
  return address;
};

const resolve = (hostname: string, signal: AbortSignal): Promise<string[]> =>
  Promise.race([
    lookup(hostname, { all: true }).then((found) => found.map(({ address }) => address)),
    new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
  ]);

/** Reads the body to its end, or to 1 MiB of it: closing the connection is all that an endless one gets. */
const readBody = async (response: Response): Promise<void> => {
  const reader = response.body?.getReader();
  if (!reader) return;
  for (let size = 0; size < MAX_BODY; ) {
    const { done, value } = await reader.read();
    if (done) return;
    size += value.byteLength;
  }
  await reader.cancel();
};
