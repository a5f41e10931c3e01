/**
 * The arguments and the output of the `ping` programs: iputils (most of Linux), BusyBox (Alpine), macOS and Windows. Texts are
 * in the C locale, except on Windows, where it can't be chosen.
 */
import { isIP } from "node:net";
import type { Unreachable } from "../outcome";

/** Echo requests to one address. `wait` is how many seconds an answer may take. */
export type Echo = { address: string; count: number; wait: number };

/** How many requests were sent and answered, and the average time of the answers in milliseconds; null if none was printed. */
export type EchoResult = {
  sent: number;
  received: number;
  average: number | null;
  /** The error that a router, or the system itself, answered instead. */
  unreachable?: Unreachable | undefined;
};

/** One way to run a program. */
export type Dialect = {
  /** The name of the program for an address. */
  program: (address: string) => string;
  /** Everything after the name. The address is an IP address, so that it is never taken for an option. */
  args: (echo: Echo) => string[];
  /** Seconds between two requests. */
  interval: number;
  /** Null when the output is not the result of a run. */
  parse: (output: string, echo: Echo) => EchoResult | null;
};

const STATISTICS = /^(\d+) packets transmitted, (\d+) (?:packets )?received/m;
const TIMES = /^(?:rtt|round-trip) min\/avg\/max(?:\/\w+)? = [\d.]+\/([\d.]+)\//m;

const parseStatistics = (output: string): EchoResult | null => {
  const [, sent, received] = STATISTICS.exec(output) ?? [];
  if (received === undefined) return null;
  const [, average] = TIMES.exec(output) ?? [];
  return { sent: Number(sent), received: Number(received), average: average === undefined ? null : Number(average) };
};

const ping = () => "ping";
// Not with -q, which leaves out the answers of routers.
const numeric = (count: number) => ["-n", "-c", String(count)];

/** @see https://man7.org/linux/man-pages/man8/ping.8.html */
const iputils: Dialect = {
  program: ping,
  args: ({ address, count, wait }) => [...numeric(count), "-i", "0.2", "-W", String(wait), "--", address],
  interval: 0.2,
  parse: parseStatistics,
};

/** Older ones have no fractions of a second. @see https://busybox.net/downloads/BusyBox.html#ping */
const busybox: Dialect = {
  program: ping,
  args: ({ address, count, wait }) => ["-q", "-c", String(count), "-W", String(wait), "--", address],
  interval: 1,
  parse: parseStatistics,
};

/** IPv6 has a program of its own, whose end is not limited by an option. */
const macos: Dialect = {
  program: (address) => (isIP(address) === 6 ? "ping6" : "ping"),
  args: ({ address, count, wait }) => [
    ...numeric(count),
    ...["-i", "0.2"],
    ...(isIP(address) === 4 ? ["-W", String(wait * 1000)] : []),
    address,
  ],
  interval: 0.2,
  parse: parseStatistics,
};

/** Every answer has a line with the address and its time. A router's "unreachable" has no time. */
const parseLines = (output: string, { address, count }: Echo): EchoResult | null => {
  const lines = output.split(/\r?\n/).filter((line) => line.includes(address));
  if (lines.length === 0) return null;
  const times = lines.flatMap((line) => /[=<]\s?(\d+)\s?ms\b/i.exec(line)?.[1] ?? []).map(Number);
  const sum = times.reduce((total, time) => total + time, 0);
  return { sent: count, received: times.length, average: times.length > 0 ? sum / times.length : null };
};

/** @see https://learn.microsoft.com/windows-server/administration/windows-commands/ping */
const windows: Dialect = {
  program: ping,
  args: ({ address, count, wait }) => ["-n", String(count), "-w", String(wait * 1000), address],
  interval: 1,
  parse: parseLines,
};

/** The dialects that a system's program may have, the likelier one first. */
export const dialectsOf = (platform: string): readonly Dialect[] => {
  if (platform === "darwin") return [macos];
  return platform === "win32" ? [windows] : [iputils, busybox];
};

/**
 * What the programs print when an address can't be reached. A network without a way to it may be an invalid argument, and
 * iputils takes a firewall's refusal for a broadcast address.
 */
const UNREACHABLE: [RegExp, Unreachable][] = [
  [/prohibited|packet filtered|ping broadcast|sendto: permission denied/i, "unreachable_prohibited"],
  [/time to live exceeded|ttl expired|hop limit/i, "unreachable_hops"],
  [
    /net(?:work)?(?: is)? unreachable|: no route\b(?! to host)|cannot assign requested address|(?:connect|sendto): invalid argument|address family not supported/i,
    "unreachable_network",
  ],
  [/host(?: is)? unreachable|address unreachable|no route to host/i, "unreachable_host"],
];

/** Why the address can't be reached, by what the program printed; undefined when that says nothing about it. */
export const unreachableIn = (printed: string): Unreachable | undefined =>
  UNREACHABLE.find(([pattern]) => pattern.test(printed))?.[1];
