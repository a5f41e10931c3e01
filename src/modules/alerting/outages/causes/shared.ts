/** Causes that several monitors share: they went down alike at about the same time, on one address, host or domain. */
import { isIP } from "node:net";
import { parseUnmapped } from "../../../../lib/host";
import type { CheckErrorCode } from "../../../../shared/check-error";
import { SECOND } from "../../../../shared/limits";
import type { OutageCause } from "../../../../shared/notifications";
import type { OpenOutage } from "./open";

/** Outages that begin at most this many milliseconds apart may have one cause. */
export const APART = 90 * SECOND;

/** An address in canonical form for comparison; null for other texts. */
export const comparableAddress = (text: string): string | null => parseUnmapped(text)?.toString() ?? null;

/** The address of an outage's target, from its checks or because the host is one. */
export const addressOf = ({ address, host }: Pick<OpenOutage, "address" | "host">): string | null =>
  comparableAddress(address ?? host);

/** Labels below which names are registered in countries that do not register them directly, as in `example.co.uk`. */
const SECOND_LEVEL = /^(com|net|org|edu|gov|mil|ac|co|ne|or|go|gob)\.[a-z]{2}$/;

/** The domain that a name was registered as; null for an address or a name without a dot. */
export const registeredDomain = (host: string): string | null => {
  const labels = host.replace(/\.$/, "").split(".");
  if (isIP(host) !== 0 || labels.length < 2) return null;
  const count = SECOND_LEVEL.test(labels.slice(-2).join(".")) ? 3 : 2;
  return labels.length < count ? null : labels.slice(-count).join(".");
};

type Shared = Extract<OutageCause, { value: string }>;

/** The traits that an outage may share with others, the most specific first. */
const sharedOf = (outage: OpenOutage): Omit<Shared, "others">[] => {
  const values: [Shared["kind"], string | null][] = [
    ["shared_address", addressOf(outage)],
    ["shared_host", isIP(outage.host) === 0 ? outage.host : null],
    ["shared_domain", registeredDomain(outage.host)],
  ];
  return values.flatMap(([kind, value]) => (value ? [{ kind, value }] : []));
};

/** Errors of targets that can't be reached: what takes one down shows as any of them. */
const UNREACHABLE: ReadonlySet<CheckErrorCode> = new Set([
  "timeout",
  "dns_not_found",
  "dns_no_answer",
  "dns_server_failed",
  "dns_refused",
  "refused",
  "unreachable_host",
  "unreachable_network",
  "unreachable_prohibited",
  "unreachable_hops",
  "reset",
  "tls_failed",
  "ping_lost",
]);

/** How an outage began: without an answer, with a status, or with another error. Outages with one cause fail alike. */
const failureOf = ({ errorCode, errorDetail }: OpenOutage): string => {
  if (errorCode === null || UNREACHABLE.has(errorCode)) return "unreachable";
  return errorCode === "status" ? `status ${errorDetail?.actual}` : errorCode;
};

const keyOf = (outage: OpenOutage, { kind, value }: Omit<Shared, "others">) =>
  `${outage.userId} ${failureOf(outage)} ${kind} ${value}`;

/** The number of sorted times in a range. */
const countBetween = (times: readonly number[], from: number, to: number): number => {
  const firstAfter = (time: number, low = 0, high = times.length): number => {
    if (low === high) return low;
    const middle = (low + high) >> 1;
    return (times[middle] as number) < time ? firstAfter(time, middle + 1, high) : firstAfter(time, low, middle);
  };
  return firstAfter(to + 1) - firstAfter(from);
};

/**
 * The shared causes of these outages by id: the trait that most other outages of the owner share, of equal ones the most
 * specific.
 */
export const findSharedCauses = (
  found: readonly OpenOutage[],
  others: readonly OpenOutage[],
): Map<number, OutageCause> => {
  const startsByKey = new Map<string, number[]>();
  const compared = new Map([...others, ...found].map((outage) => [outage.id, outage]));
  for (const outage of [...compared.values()].toSorted((a, b) => a.startedAt - b.startedAt)) {
    for (const shared of sharedOf(outage)) {
      const key = keyOf(outage, shared);
      const starts = startsByKey.get(key);
      if (starts) starts.push(outage.startedAt);
      else startsByKey.set(key, [outage.startedAt]);
    }
  }
  return new Map(
    found.flatMap((outage): [number, OutageCause][] => {
      const { startedAt } = outage;
      const counted = sharedOf(outage).map((shared) => {
        const starts = startsByKey.get(keyOf(outage, shared)) ?? [];
        return { ...shared, others: countBetween(starts, startedAt - APART, startedAt + APART) - 1 };
      });
      const [best] = counted.toSorted((a, b) => b.others - a.others);
      return best && best.others > 0 ? [[outage.id, best]] : [];
    }),
  );
};
