export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const;
export type Method = (typeof METHODS)[number];
/** Methods with a body. */
export const METHODS_WITH_BODY: readonly Method[] = ["POST", "PUT", "PATCH"];

/** Whether a status is the expected one, or, for an expectation of 1 to 5, of that class. */
export const isExpected = (status: number, expected: number): boolean =>
  expected < 10 ? Math.floor(status / 100) === expected : status === expected;

/** Status codes from one to another, both included. */
type StatusRange = readonly [from: number, to: number];

const STATUS_PART = /^(?:([1-5])xx|([1-5]\d\d)(?:\s*-\s*([1-5]\d\d))?)$/i;

/** Parses codes, ranges and classes such as `200-299, 401, 5xx`; null for any other text and for a range that is empty. */
export const parseStatuses = (text: string): StatusRange[] | null => {
  const ranges = text.split(",").map((part): StatusRange | null => {
    const [, group, from, to = from] = STATUS_PART.exec(part.trim()) ?? [];
    if (group) return [Number(group) * 100, Number(group) * 100 + 99];
    return from && Number(from) <= Number(to) ? [Number(from), Number(to)] : null;
  });
  return ranges.every((range) => range !== null) ? ranges : null;
};

/** Renders ranges of status codes as `200-299,401`. */
export const statusesText = (ranges: readonly StatusRange[]): string =>
  ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(",");

/** IP versions that a check may be limited to. */
export const IP_FAMILIES = ["any", "4", "6"] as const;
export type IpFamily = (typeof IP_FAMILIES)[number];

/** `200`, or `2xx` for a class. */
export const expectedLabel = (expected: number): string => (expected < 10 ? `${expected}xx` : String(expected));

/** The due time of an active monitor that is not checked, because it waits for reports. It is never claimed. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** While an outage is new, its monitor is checked this often, if its interval is longer (s). */
export const QUICK_RECHECK = { every: 15, minutes: 10 } as const;

/** Whether the pauses between retries fit in the interval: together they are at most three quarters of it. */
export const fitRetries = ({
  retries,
  retryPause,
  interval,
}: {
  retries: number;
  retryPause: number;
  interval: number;
}) => retries * retryPause * 4 <= interval * 3;

/** Protocols whose servers begin TLS after a command. */
export const STARTTLS_PROTOCOLS = ["smtp", "imap", "pop3", "ftp", "postgres"] as const;
export type StarttlsProtocol = (typeof STARTTLS_PROTOCOLS)[number];

/** Milliseconds of the parts of a request, in order; with redirects, their sums. */
export type Phases = {
  /** Name resolution. */
  dns: number;
  connect: number;
  /** Zero without TLS. */
  tls: number;
  /** From sending the request to the first byte of the response. */
  firstByte: number;
  /** From the first to the last byte of the response. */
  download: number;
};

/** Phases as they are answered, and stored with an outage. */
export type PresentedPhases = Omit<Phases, "firstByte"> & { first_byte: number };

const rounded = (milliseconds: number) => Math.round(milliseconds * 10) / 10;

/** Presents what was measured, to a tenth of a millisecond; null when nothing was. */
export const presentPhases = (phases: Phases | undefined): PresentedPhases | null =>
  phases
    ? {
        dns: rounded(phases.dns),
        connect: rounded(phases.connect),
        tls: rounded(phases.tls),
        first_byte: rounded(phases.firstByte),
        download: rounded(phases.download),
      }
    : null;

/** Checks that a list can show of each monitor. */
export const MAX_RECENT = 40;

/** The outcome of a check in a compact list: down, up, or up but slow. */
export type PastOutcome = 0 | 1 | 2;

/** Local conditions that prevent the hub from making requests. Codes never change. */
export const CONDITIONS = ["resolver", "names", "descriptors", "ports", "memory", "ping"] as const;
export type Condition = (typeof CONDITIONS)[number];

/** A present condition, and its start in epoch milliseconds. */
export type ActiveCondition = { code: Condition; since: number };

export const CONDITION_WORDS: Record<Condition, string> = {
  resolver: "the name servers of this machine do not answer, or answer no name",
  names: "the name servers of this machine give wrong addresses",
  descriptors: "no more files or connections can be opened",
  ports: "no more local ports are free for connections there",
  memory: "the system has no memory left for connections",
  ping: "the ping program of this machine is missing or does not work",
};

/** Monitors that one call changes, and those that each of its transactions changes. */
export const BULK_LIMITS = { monitors: 1000, atOnce: 200 } as const;

/** Actions of one call on many monitors. */
export const BULK_ACTIONS = ["pause", "resume", "check", "delete"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Why a call for many monitors leaves one of them out. */
export const BULK_REFUSALS = [
  "not_found",
  "role_insufficient",
  "foreign",
  "timeout_above_interval",
  "retries_above_interval",
  "no_interval",
  "too_many_tags",
  "not_checkable",
  "check_in_progress",
  "rate_limited",
  "hub_unavailable",
] as const;
export type BulkRefusal = (typeof BULK_REFUSALS)[number];

/** The kinds that wait for reports instead of being checked. */
export const PASSIVE_KINDS: readonly string[] = ["heartbeat"];
