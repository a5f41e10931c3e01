/** What happens in a run. Times are in seconds since its beginning. */
import type { State } from "./commands";
import type { Span } from "./compare";
import { addressOf, type Barrier } from "./network";

/** How a target fails: by its own answers, by the answers of its name server, or by a router. */
type Failure = { answer: State } | { name: State } | { barrier: Barrier };

export type Target = {
  name: string;
  class: string;
  /** Its name at the world's name server. */
  host: string;
  address: string;
  port: number;
  monitor: { interval: number; timeout: number; retries: number };
  failure: Failure;
  failures: Span[];
  /** A failure that is visible for so long has been checked, with its further attempts. */
  certain: number;
};

/** A job that sends pings at these times. */
type Job = { name: string; class: string; kind: "job"; pings: number[] };
/** An agent that reports every ten seconds, is silent at times, and may run on a machine that restarts then. */
type Agent = { name: string; class: string; kind: "agent"; failures: Span[]; restarts?: boolean };
export type Client = Job | Agent;

/**
 * What happens to the hub. Its name server may lie, and a captive portal answers for all targets, too. `instance`: to one of
 * its instances, so that another one still watches; to all by default. `ahead`: by how many seconds its clock is set.
 */
export type Disturbance = Span &
  (
    | { how: "silent" | "unreachable" | "unplugged" | "kill" | "freeze" | "starve"; instance?: number }
    | { how: "portal" | "liar" }
    | { how: "clock"; ahead: number }
  );

export type Scenario = {
  seconds: number;
  targets: Target[];
  clients: Client[];
  disturbances: Disturbance[];
  /** How many instances the hub has: with two, its database is PostgreSQL. One by default. */
  instances?: 1 | 2;
  /** When monitors that are not down are checked outside their schedule. */
  checks?: number[];
};

const INTERVAL = 60;
const TIMEOUT = 5;
const RETRY = { retries: 2, retry_pause: 5 };
/** The period of a job, and how late a ping may be. */
export const JOB = { every: 60, grace: 15 };
/** How often an agent reports. */
export const REPORT = 10;
/** After this long a missing sign is noticed. */
export const CERTAIN = { job: JOB.grace + 30, agent: 90 + 15 };

type Kind = "http" | "https" | "tcp" | "ping" | "dns";
type Wanted = {
  failures?: Span[];
  kind?: Kind;
  interval?: number;
  port?: number;
  /** Whether it is on the same host as the target before, or in its network. */
  sameHost?: boolean;
  sameNetwork?: boolean;
  retried?: boolean;
};

const TEXT = { assertions: [{ on: "body", op: "contains", value: "systems go" }] };

const configOf = (kind: Kind, { host, address, port }: Pick<Target, "host" | "address" | "port">, failure: Failure) => {
  if (kind === "tcp") return { kind, config: { host: address, port } };
  if (kind === "ping") return { kind, config: { host: address, count: 1 } };
  if (kind === "dns") return { kind, config: { name: host, type: "A", expect: { op: "equals", values: [address] } } };
  if (kind === "https") return { url: `https://${host}/`, expectedStatus: 200 };
  const needsText = "answer" in failure && failure.answer === "text";
  const url = `http://${"name" in failure ? host : address}:${port}/`;
  return { url, expectedStatus: 200, ...(needsText && TEXT) };
};

/** Collects targets, each in a network of its own unless it is wanted otherwise. `held`: how long failures may be held. */
export const createTargets = (held = 0) => {
  const targets: Target[] = [];
  let [number, one] = [0, 1];
  const add = (name: string, group: string, failure: Failure, wanted: Wanted = {}): void => {
    const { failures = [], kind = "http", interval = INTERVAL, sameHost, sameNetwork, retried } = wanted;
    if (sameNetwork) one++;
    else if (!sameHost) number++;
    const host = `t${number}.truth.test`;
    const place = { host, address: addressOf(number, one), port: wanted.port ?? (kind === "https" ? 443 : 80) };
    const retry = retried ? RETRY : { retries: 0 };
    const attempts = retried ? RETRY.retries * (RETRY.retry_pause + TIMEOUT) : 0;
    targets.push({
      ...{ name, class: group, ...place, failure, failures, certain: interval * 1.2 + 4 * TIMEOUT + attempts + held },
      monitor: { interval, timeout: TIMEOUT, ...retry, ...configOf(kind, place, failure) },
    });
  };
  return { targets, add };
};

/** The times of a job's pings. */
export const pingsFrom = (first: number, until: number): number[] =>
  Array.from({ length: Math.ceil((until - first) / JOB.every) }, (_, index) => first + index * JOB.every);

/** When pings of a job were missing: from when one was due until the next one. */
export const missingPings = (pings: readonly number[], end: number): Span[] =>
  pings.flatMap((ping, index) => {
    const [due, next] = [ping + JOB.every, pings[index + 1]];
    return (next ?? end) - due > JOB.grace ? [{ from: due, to: next ?? end + 3600 }] : [];
  });
