import { connect, isIP, type Socket } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { USER_AGENT } from "../build-info";
import type { Log } from "../core/log";
import type { Clock } from "../lib/time";
import { AddressBlocked, type Family, NoSuchFamily } from "./address-errors";
import { createAddressGuard } from "./addresses";
import { createResolver } from "./dns/resolver";
import { createSystemDns, systemNameServers } from "./dns/system-dns";
import { createConditions, descriptorCondition, LocalFailure, localConditionOf } from "./local-failure";
import { createPinger } from "./ping/pinger";
import { createRdap } from "./rdap/rdap";
import { hostOf } from "./url";

/** Addresses of one name that are tried in turn. */
const MAX_ADDRESSES = 4;
/** Errors before any byte of the request was sent: another address may be tried. */
const NOT_CONNECTED = [
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "EACCES",
];

const UNREACHABLE = /^E(HOST|NET)(UNREACH|DOWN)$|^EACCES$/;

/** The user or part of the hub that makes a request. Requests with one `key` have at most `lookups` lookups in flight. */
export type Caller = { key: string; lookups: number; allowPrivate: boolean };

/** Called with the first address, and again if another address accepts the connection. */
type OnAddress = (address: string) => void;

type OutboundRequest = {
  /** An http or https address. Credentials and fragment in it are not sent. */
  url: URL;
  method: string;
  /** May replace the product's User-Agent. */
  headers: Headers;
  /** Empty for none. */
  body: string;
  signal: AbortSignal;
  caller: Caller;
  onAddress?: OnAddress;
};

/** A connection without a request. */
type Connection = {
  hostname: string;
  port: number;
  signal: AbortSignal;
  caller: Caller;
  /** Only addresses of this family are used. */
  family?: Family | undefined;
  onAddress?: OnAddress;
};

/**
 * IPv4 first: a machine without a working IPv6 route would wait for the timeout, while one without IPv4 fails at once.
 */
const ordered = (addresses: string[]) => addresses.toSorted((a, b) => isIP(a) - isIP(b));

const init = ({ url, method, headers: sent, body, signal }: OutboundRequest): BunFetchRequestInit => {
  const headers = new Headers(sent);
  if (!headers.has("user-agent")) headers.set("user-agent", USER_AGENT);
  const hostname = hostOf(url);
  const tls = {
    serverName: isIP(hostname) ? undefined : hostname,
    checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(hostname, certificate),
  };
  return {
    method,
    headers,
    signal,
    keepalive: false,
    redirect: "manual",
    decompress: false,
    ...(body !== "" && { body }),
    ...(url.protocol === "https:" && { tls }),
  };
};

/**
 * Connects to an address. The caller handles the errors that the socket has afterwards.
 * @throws the socket's error, a LocalFailure, or the signal's reason
 */
const connectTo = (host: string, port: number, signal: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const fail = (reason: unknown) => {
      signal.removeEventListener("abort", abort);
      socket.destroy();
      reject(reason);
    };
    const abort = () => fail(signal.reason);
    const onError = (error: NodeJS.ErrnoException) => {
      // Without a free descriptor, Bun reports a refused connection.
      const condition = error.code === "ECONNREFUSED" ? descriptorCondition() : null;
      // A link-local address without a zone is an invalid argument for the system.
      if (error.code === "EINVAL") error.code = "ENETUNREACH";
      fail(condition ? new LocalFailure(condition) : error);
    };
    socket.once("connect", () => {
      signal.removeEventListener("abort", abort);
      socket.off("error", onError);
      resolve(socket);
    });
    socket.on("error", onError);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });

/**
 * The error of a connection that failed, with the code of the system: Bun's sockets report every failure as a refused
 * connection, and its requests do not. Loopback only refuses.
 */
const withSystemCode = async (error: unknown, host: string, port: number, signal: AbortSignal): Promise<unknown> => {
  if ((error as { code?: unknown }).code !== "ECONNREFUSED" || /^(127\.|::1$)/.test(host)) return error;
  const address = isIP(host) === 6 ? `[${host}]` : host;
  const code = await fetch(`http://${address}:${port}/`, { method: "HEAD", signal, redirect: "manual" }).then(
    () => "",
    (failure) => String(failure.code),
  );
  return UNREACHABLE.test(code) ? Object.assign(new Error(code), { code }) : error;
};

/**
 * Tries one address after the other until a connection succeeds.
 * @throws {LocalFailure | AddressBlocked} or what the last attempt throws
 */
const atFirstReachable = async <T>(
  addresses: string[],
  attempt: (address: string) => Promise<T>,
  onAddress: OnAddress = () => {},
): Promise<T> => {
  for (const [index, address] of addresses.entries()) {
    try {
      if (index === 0) onAddress(address);
      const connected = await attempt(address);
      onAddress(address);
      return connected;
    } catch (error) {
      if (error instanceof LocalFailure) throw error;
      const condition = localConditionOf(error, address);
      if (condition) throw new LocalFailure(condition);
      const isLast = index === addresses.length - 1;
      if (isLast || !NOT_CONNECTED.includes(String((error as { code?: unknown }).code))) throw error;
    }
  }
  throw new AddressBlocked();
};

/** All connections that the hub opens for checks, deliveries and the connectivity target go through here. */
export const createOutbound = (
  { clock, log }: { clock: Pick<Clock, "now">; log: Log },
  dns = createSystemDns(),
  { nameServers = systemNameServers, pinger = createPinger(), rdap = createRdap({ clock }) } = {},
) => {
  const conditions = createConditions(clock, log);
  const resolver = createResolver(dns);
  const mayUserReach = createAddressGuard();

  const reported = (error: unknown): unknown => {
    if (error instanceof LocalFailure) conditions.report(error.condition);
    return error;
  };
  const throwReported = (error: unknown): never => {
    throw reported(error);
  };

  /**
   * The addresses to connect to, in order.
   * @throws {LookupFailed | NoSuchFamily | LocalFailure | AddressBlocked} or the signal's reason
   */
  const addressesOf = async (
    hostname: string,
    { key, lookups, allowPrivate }: Caller,
    signal: AbortSignal,
    family?: Family,
  ) => {
    const caller = { key, limit: lookups, useLibc: allowPrivate };
    const addresses = isIP(hostname)
      ? [hostname]
      : await resolver.resolve(hostname, caller, signal).catch(throwReported);
    // Before the family, so that the error says nothing about the addresses that the caller may not reach.
    const allowed = allowPrivate ? addresses : addresses.filter(mayUserReach);
    if (allowed.length === 0) throw new AddressBlocked();
    const wanted = allowed.filter((address) => !family || isIP(address) === family);
    if (family && wanted.length === 0) throw new NoSuchFamily(family);
    return ordered(wanted).slice(0, MAX_ADDRESSES);
  };

  return {
    addressesOf,

    /** Whether users who may reach the public internet only may connect to an address. */
    mayUserReach,

    /** The addresses of this machine's name servers, with a port unless it is 53. */
    nameServers,

    /** `isResolving`: whether they answer. `recordAnswer`: records that they answered for a name. */
    ...{ isResolving: resolver.isAnswering, recordAnswer: resolver.recordAnswer },

    /** Send echo requests to an address, and ask registries about domains. */
    ...{ pinger, rdap },

    /** Resolves a name again, or all: their addresses may be wrong. */
    forgetNames: resolver.forget,

    /** Counts the condition of a LocalFailure that a probe found by itself, and returns the error. */
    reported,

    /**
     * Connects to a port at an allowed address. The caller handles the socket's later errors, and closes it.
     * @throws {LookupFailed | NoSuchFamily | LocalFailure | AddressBlocked}, the socket's error, or the signal's reason
     */
    connect: async ({ hostname, port, signal, caller, family, onAddress }: Connection): Promise<Socket> => {
      const addresses = await addressesOf(hostname, caller, signal, family);
      const attempt = (address: string) =>
        connectTo(address, port, signal).catch(async (error) => {
          const isLast = address === addresses.at(-1);
          throw isLast ? await withSystemCode(error, address, port, signal) : error;
        });
      return atFirstReachable(addresses, attempt, onAddress).catch(throwReported);
    },

    /**
     * Makes one request over a new connection, without following redirects. Connects to the first allowed address of the
     * name that accepts the connection.
     * @throws {LookupFailed | LocalFailure | AddressBlocked} or what fetch throws
     */
    request: async (request: OutboundRequest): Promise<Response> => {
      const hostname = hostOf(request.url);
      const addresses = await addressesOf(hostname, request.caller, request.signal);
      const target = new URL(request.url);
      target.username = "";
      target.password = "";
      target.hash = "";
      if (!isIP(hostname) && !request.headers.has("host")) request.headers.set("host", request.url.host);
      const options = init(request);
      const fetchFrom = (address: string) => {
        target.hostname = isIP(address) === 6 ? `[${address}]` : address;
        return fetch(target.href, options);
      };
      return atFirstReachable(addresses, fetchFrom, request.onAddress).catch(throwReported);
    },

    /** The active local conditions. Asks the name servers again while they are one of them. */
    conditions: () => {
      const active = conditions.active();
      if (active.some(({ code }) => code === "resolver")) {
        void resolver.isAnswering().then((yes) => (yes ? conditions.clear("resolver") : conditions.report("resolver")));
      }
      return active;
    },
  };
};

export type Outbound = ReturnType<typeof createOutbound>;
