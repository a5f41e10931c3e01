import { randomInt } from "node:crypto";
import { isIP } from "node:net";
import { type CheckError, checkError } from "../../shared/check-error";
import { type Expectation, MAX_KEPT, MAX_KEPT_LENGTH, type RecordType } from "../../shared/monitor-kinds/dns-record";
import { AddressBlocked } from "../address-errors";
import { LocalFailure } from "../local-failure";
import type { Caller, Outbound } from "../outbound";
import { failureOf, type Outcome } from "../outcome";
import { ask, InvalidAnswer, type NameServer } from "./exchange";
import { isExpected, queryName } from "./expectation";
import { isInternalAnswer, isInternalName } from "./internal";
import { type Answer, type Query, recordsOf } from "./message";

/** The parameters of one query. */
export type DnsTarget = {
  /** A name, or with PTR also an IP address. */
  name: string;
  type: RecordType;
  /** An IP address with or without a port; null for the name servers of this machine. */
  server: string | null;
  /** The expected records; null accepts any. */
  expect: Expectation | null;
  /** Seconds. */
  timeout: number;
  /** The owner's limits, and whether the check may ask name servers at private addresses. */
  caller: Caller;
  /** Whether private addresses are refused to all users, including administrators. */
  privateBlockedForAll?: boolean;
};

const DNS_PORT = 53;
/** Name servers of this machine that are asked. */
const MAX_SERVERS = 3;

const [NO_ERROR, SERVER_FAILURE, NO_NAME, NOT_IMPLEMENTED, REFUSED] = [0, 2, 3, 4, 5];

/** Splits `ip`, `ip:port` or `[ip]:port`; null for other texts. */
export const parseNameServer = (text: string): NameServer | null => {
  const written = text.trim();
  const bare = written.replace(/^\[([^\]]*)\]$/, "$1");
  if (isIP(bare) && !bare.includes("%")) return { address: bare, port: DNS_PORT };
  const [, v6, v4, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(written) ?? [];
  const server = { address: v6 ?? v4 ?? "", port: Number(port) };
  const isValid = isIP(server.address) === (v6 === undefined ? 4 : 6) && !server.address.includes("%");
  return isValid && server.port >= 1 && server.port <= 65_535 ? server : null;
};

/** A server that knows of others but asks none of them: it does not answer for this name. */
const isReferral = ({ authoritative, recursive, answers, authorities }: Answer): boolean =>
  !authoritative &&
  !recursive &&
  answers.length === 0 &&
  authorities.some(({ type }) => type === "NS") &&
  !authorities.some(({ type }) => type === "SOA");

/** The records of an answer to keep, in an order that does not change from answer to answer. */
const keptOf = (answer: Answer, query: Query): string[] =>
  recordsOf(answer, query)
    .map(([whole = ""]) => (whole.length > MAX_KEPT_LENGTH ? `${whole.slice(0, MAX_KEPT_LENGTH - 1)}…` : whole))
    .toSorted()
    .slice(0, MAX_KEPT);

/** Why an answer is not as expected; null when it is. */
const errorOf = (answer: Answer, query: Query, expect: Expectation | null): CheckError | null => {
  const { type } = query;
  if (answer.code === NO_NAME) return checkError("dns_no_name");
  if (answer.code === SERVER_FAILURE) return checkError("dns_server_failed");
  if (answer.code === REFUSED || answer.code === NOT_IMPLEMENTED || isReferral(answer))
    return checkError("dns_refused");
  if (answer.code !== NO_ERROR || answer.truncated) return checkError("dns_invalid");
  const records = recordsOf(answer, query);
  if (records.length === 0) return checkError("dns_no_record", { type });
  return expect === null || isExpected(expect, type, records) ? null : checkError("dns_mismatch", { type });
};

/** The name servers to ask: the configured one if the caller may reach it, otherwise the machine's. */
const serversOf = async ({ server, caller }: DnsTarget, outbound: Outbound, signal: AbortSignal) => {
  if (server === null) {
    const own = outbound.nameServers().flatMap((text) => parseNameServer(text) ?? []);
    if (own.length === 0) throw new LocalFailure("resolver");
    return own.slice(0, MAX_SERVERS);
  }
  const { address, port } = parseNameServer(server) ?? { address: server, port: DNS_PORT };
  const [allowed = address] = await outbound.addressesOf(address, caller, signal);
  return [{ address: allowed, port }];
};

/**
 * Asks for the records of a name. Up means that there are some, and that they are the expected ones.
 * @throws {LocalFailure} when the hub itself could not ask, or the name servers of this machine do not answer
 */
export const probeDns = async (target: DnsTarget, outbound: Outbound): Promise<Outcome> => {
  const { type, server, expect, timeout, caller } = target;
  const details: Pick<Outcome, "statusCode" | "certExpiresAt" | "address"> = { statusCode: null, certExpiresAt: null };
  const query = { id: randomInt(65_536), name: queryName(target.name, type) ?? target.name, type };
  const signal = AbortSignal.timeout(timeout * 1000);
  const startedAt = performance.now();
  try {
    // The name servers of this machine know internal names, which are for those who may reach private addresses.
    const isLimited = server === null && !caller.allowPrivate;
    if (isLimited && isInternalName(query.name)) throw new AddressBlocked();
    const servers = await serversOf(target, outbound, signal);
    if (!isLimited) details.address = servers[0]?.address;
    // They may have private addresses themselves.
    const asking = server === null ? { ...caller, allowPrivate: true } : caller;
    const askFor = (wanted: Query) => ask(servers, { query: wanted, outbound, caller: asking, signal });
    const answer = await askFor(query);
    if (server === null && (answer.code === NO_ERROR || answer.code === NO_NAME)) outbound.recordAnswer(query.name);
    const responseTime = Math.round((performance.now() - startedAt) * 10) / 10;
    if (isLimited && (await isInternalAnswer(answer, query, { askFor, outbound, caller, signal })))
      throw new AddressBlocked();
    const error = errorOf(answer, query, expect);
    const isRefusal = error?.code === "dns_server_failed" || error?.code === "dns_refused";
    // A name server without a network refuses every name.
    if (server === null && isRefusal && !(await outbound.isResolving())) throw new LocalFailure("resolver");
    const records = keptOf(answer, query);
    return { ...details, up: error === null, responseTime, error, ...(records.length > 0 && { records }) };
  } catch (error) {
    if (error instanceof LocalFailure) throw outbound.reported(error);
    const failed = (reason: CheckError) => ({ ...details, up: false, responseTime: null, error: reason });
    if (error instanceof InvalidAnswer) return failed(checkError("dns_invalid"));
    if (server !== null || error instanceof AddressBlocked) return failed(failureOf(error, target));
    if (!(await outbound.isResolving())) throw outbound.reported(new LocalFailure("resolver"));
    return failed(checkError("dns_no_answer"));
  }
};
