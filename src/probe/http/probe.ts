import { USER_AGENT } from "../../build-info";
import { type Assertion, needsBody, slowLimitOf } from "../../shared/assertions";
import { type CheckError, checkError, type TimeoutPhase } from "../../shared/check-error";
import {
  expectedLabel,
  type IpFamily,
  isExpected,
  METHODS_WITH_BODY,
  type Method,
  type Phases,
  parseStatuses,
} from "../../shared/monitor";
import type { Family } from "../address-errors";
import { LocalFailure } from "../local-failure";
import type { Caller, Outbound } from "../outbound";
import { CheckFailed, failureOf, type Outcome } from "../outcome";
import type { ServerCertificate } from "../tls/certificate";
import { basicLogin } from "../url";
import { checkAssertions } from "./assertions";
import { ACCEPT_ENCODING, decode, decompress } from "./body";
import { type Response, send } from "./client";

/** The parameters of one request. */
export type Target = {
  url: string;
  method: Method;
  headers: Record<string, string>;
  body: string;
  /** Seconds. */
  timeout: number;
  expectedStatus: number;
  /** Codes and ranges such as `200-299,401`, which win over `expectedStatus`; empty for none. */
  expectedStatuses?: string | undefined;
  /** Accept a certificate of any issuer and for any name. */
  acceptSelfSigned?: boolean | undefined;
  ipFamily?: IpFamily | undefined;
  /** Conditions on the final response, in addition to its status. */
  assertions?: readonly Assertion[] | undefined;
  /** The owner's limits, and whether the check may connect to private addresses. */
  caller: Caller;
  /** Whether private addresses are refused to all users, including administrators. */
  privateBlockedForAll?: boolean;
};

const MAX_REDIRECTS = 10;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Headers that are sent to another origin; all others may hold secrets. */
const SHARED_HEADERS = ["accept", "accept-encoding", "accept-language", "user-agent"];

type Hop = { url: URL; method: Method; headers: Headers; body: string };

/**
 * Makes one request, follows its redirects, and returns the outcome.
 * @throws {LocalFailure} when the hub itself could not make the request, which says nothing about the target
 */
export const probe = async (target: Target, outbound: Outbound): Promise<Outcome> => {
  const signal = AbortSignal.timeout(target.timeout * 1000);
  const details: Pick<Outcome, "certExpiresAt" | "certFingerprint" | "address"> & { phases: Phases } = {
    certExpiresAt: null,
    phases: { dns: 0, connect: 0, tls: 0, firstByte: 0, download: 0 },
  };
  let phase: TimeoutPhase = "dns";
  const startedAt = performance.now();
  const expected = expectationOf(target);
  const { assertions = [] } = target;
  const keepBody = assertions.some(({ on }) => needsBody(on));
  const family: Family | undefined = target.ipFamily === "4" ? 4 : target.ipFamily === "6" ? 6 : undefined;
  try {
    let hop = firstHop(target);
    for (let redirects = 0; ; redirects++) {
      const request = {
        ...hop,
        signal,
        caller: target.caller,
        family,
        acceptSelfSigned: target.acceptSelfSigned,
        keepBody,
        onCertificate: ({ expiresAt, fingerprint }: ServerCertificate) => {
          details.certExpiresAt = expiresAt;
          details.certFingerprint = fingerprint;
        },
        onAddress: (address: string) => {
          details.address = address;
        },
        onPhase: (ended: keyof Phases, milliseconds: number) => {
          phase = ended === "firstByte" ? "first_byte" : ended;
          details.phases[ended] += milliseconds;
        },
      };
      const response = await send(request, outbound);
      const location = response.headers.get("location");
      if (location === undefined || !REDIRECTS.includes(response.status) || expected.redirect) {
        const responseTime = Math.round((performance.now() - startedAt) * 10) / 10;
        const statusCode = response.status;
        const error = statusError(statusCode, expected) ?? (await assertionError(assertions, response, signal));
        const slowLimit = slowLimitOf(assertions);
        const slow = slowLimit === undefined ? undefined : responseTime >= slowLimit;
        return { up: error === null, responseTime, statusCode, error, slow, slowLimit, ...details };
      }
      if (redirects === MAX_REDIRECTS)
        throw new CheckFailed(checkError("redirects_too_many", { limit: MAX_REDIRECTS }));
      hop = nextHop(hop, response.status, location);
    }
  } catch (error) {
    if (error instanceof LocalFailure) throw outbound.reported(error);
    const reason = failureOf(error, { ...target, phase });
    // How long the lookup of a private name took is nothing that the user may know.
    const phases = reason.code.startsWith("blocked") ? undefined : details.phases;
    return { up: false, responseTime: null, statusCode: null, error: reason, ...details, phases };
  }
};

/** The error of the first assertion that does not hold, or null. @throws the signal's reason */
const assertionError = async (
  assertions: readonly Assertion[],
  { headers, body, isCut }: Response,
  signal: AbortSignal,
): Promise<CheckError | null> => {
  if (assertions.length === 0) return null;
  if (!assertions.some(({ on }) => needsBody(on))) return checkAssertions(assertions, { headers, text: "", isCut });
  const content = await decompress({ bytes: body, isCut }, headers.get("content-encoding"), signal);
  if (!content) return checkError("body_unreadable");
  const text = decode(content.bytes, headers.get("content-type"));
  return await checkAssertions(assertions, { headers, text, isCut: content.isCut });
};

/** The status codes that count as up. `redirect`: one of them is a redirect, so that none is followed. */
type Expectation = { label: string; redirect: boolean; accepts: (status: number) => boolean };

const expectationOf = ({ expectedStatus, expectedStatuses = "" }: Target): Expectation => {
  const ranges = expectedStatuses === "" ? null : parseStatuses(expectedStatuses);
  if (!ranges)
    return {
      label: expectedLabel(expectedStatus),
      redirect: expectedStatus === 3 || Math.floor(expectedStatus / 100) === 3,
      accepts: (status) => isExpected(status, expectedStatus),
    };
  return {
    label: expectedStatuses,
    redirect: ranges.some(([from, to]) => from < 400 && to >= 300),
    accepts: (status) => ranges.some(([from, to]) => from <= status && status <= to),
  };
};

/** The error of a response whose status is not an expected one. */
const statusError = (actual: number, { label, accepts }: Expectation): CheckError | null =>
  accepts(actual) ? null : checkError("status", { actual, expected: label });

const firstHop = ({ url: text, method, headers: sent, body, assertions = [] }: Target): Hop => {
  const url = new URL(text);
  const headers = new Headers(sent);
  if (!headers.has("accept-encoding") && assertions.some(({ on }) => needsBody(on)))
    headers.set("accept-encoding", ACCEPT_ENCODING);
  if (!headers.has("user-agent")) headers.set("user-agent", USER_AGENT);
  const login = basicLogin(url);
  if (login !== null && !headers.has("authorization")) headers.set("authorization", login);
  return { url, method, headers, body: METHODS_WITH_BODY.includes(method) ? body : "" };
};

const nextHop = (hop: Hop, status: number, location: string): Hop => {
  const url = URL.parse(location, hop.url.href);
  if (!url || !/^https?:$/.test(url.protocol)) throw new CheckFailed(checkError("redirects_not_http"));
  const leaves = url.origin !== hop.url.origin;
  const headers = new Headers([...hop.headers].filter(([name]) => !leaves || SHARED_HEADERS.includes(name)));
  // As in browsers, 303 always continues as GET without the body, and 301 and 302 do after a POST.
  const becomesGet = status === 303 ? hop.method !== "HEAD" : status < 303 && hop.method === "POST";
  if (becomesGet) headers.delete("content-type");
  return { url, headers, method: becomesGet ? "GET" : hop.method, body: becomesGet || leaves ? "" : hop.body };
};
