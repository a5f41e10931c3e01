/** Causes that several monitors share: they went down alike at about the same time, on one address, host or domain. */
import { isIP } from "node:net";
import { isAddressOrLocalhost, parseUnmapped } from "../../../../lib/host";
import type { CheckErrorCode } from "../../../../shared/check-error";
import { SECOND } from "../../../../shared/limits";
import type { OutageCause } from "../../../../shared/notifications";
import type { Place } from "../../targets";
import type { OpenOutage } from "./open";

/** Outages that begin at most this many milliseconds apart may have one cause. */
export const APART = 90 * SECOND;

/** An address in canonical form for comparison; null for other texts. */
export const comparableAddress = (text: string): string | null => parseUnmapped(text)?.toString() ?? null;

/**
 * The address of an outage's target, from its checks or because the host is one; null for loopback, where any machine has
 * something else.
 */
export const addressOf = ({ address, host }: Pick<OpenOutage, "address" | "host">): string | null => {
  const parsed = parseUnmapped(address ?? host);
  return parsed === null || parsed.range() === "loopback" ? null : parsed.toString();
};

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
  const name = isAddressOrLocalhost(outage.host) || isIP(outage.host) !== 0 ? null : outage.host;
  const values: [Shared["kind"], string | null][] = [
    ["shared_address", addressOf(outage)],
    ["shared_host", name],
    ["shared_domain", name && registeredDomain(name)],
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
  `${outage.teamId} ${failureOf(outage)} ${kind} ${value}`;

/** The number of sorted times in a range. */
const countBetween = (times: readonly number[], from: number, to: number): number => {
  const firstAfter = (time: number, low = 0, high = times.length): number => {
    if (low === high) return low;
    const middle = (low + high) >> 1;
    return (times[middle] as number) < time ? firstAfter(time, middle + 1, high) : firstAfter(time, low, middle);
  };
  return firstAfter(to + 1) - firstAfter(from);
};

/** Fewer outages share a cause only where nothing else is on their host. */
const MIN_SHARING = 3;
/** Domains whose monitors are counted, the ones with the most outages first. */
const MAX_DOMAINS = 20;

type Candidate = Shared & { place: Place | null };

/** The traits that each of these outages shares with others that began at about the same time. */
const candidatesOf = (some: readonly OpenOutage[], others: readonly OpenOutage[]): Map<number, Candidate[]> => {
  const startsByKey = new Map<string, number[]>();
  const compared = new Map([...others, ...some].map((outage) => [outage.id, outage]));
  for (const outage of [...compared.values()].toSorted((a, b) => a.startedAt - b.startedAt)) {
    for (const shared of sharedOf(outage)) {
      const key = keyOf(outage, shared);
      const starts = startsByKey.get(key);
      if (starts) starts.push(outage.startedAt);
      else startsByKey.set(key, [outage.startedAt]);
    }
  }
  return new Map(
    some.map((outage) => {
      const { id, startedAt, teamId, host } = outage;
      const candidates = sharedOf(outage).flatMap((shared): Candidate[] => {
        const starts = startsByKey.get(keyOf(outage, shared)) ?? [];
        const count = countBetween(starts, startedAt - APART, startedAt + APART);
        const isDomain = shared.kind === "shared_domain";
        if (count < (isDomain ? MIN_SHARING : 2)) return [];
        // Which names have an address is not known.
        const isCounted = shared.kind !== "shared_address" || comparableAddress(host) === shared.value;
        const place = isCounted ? { teamId, isDomain, value: isDomain ? shared.value : host } : null;
        return [{ ...shared, others: count - 1, place }];
      });
      return [id, candidates];
    }),
  );
};

/** Counts the monitors of places. Domains have no index, so only the ones with the most outages are counted. */
const countPlaces = async (candidates: readonly Candidate[], countOn: CountOn) => {
  const keyOfPlace = ({ teamId, isDomain, value }: Place) => `${teamId} ${isDomain} ${value}`;
  const byKey = new Map(
    candidates
      .toSorted((one, other) => one.others - other.others)
      .flatMap(({ place }) => (place ? [[keyOfPlace(place), place] as const] : [])),
  );
  const { domains = [], hosts = [] } = Object.groupBy(byKey.values(), ({ isDomain }) =>
    isDomain ? "domains" : "hosts",
  );
  const places = [...hosts, ...domains.slice(-MAX_DOMAINS)];
  const counts = places.length > 0 ? await countOn(places) : [];
  const countByPlace = new Map(places.map((place, index) => [keyOfPlace(place), counts[index]]));
  return (place: Place | null) => (place ? countByPlace.get(keyOfPlace(place)) : undefined);
};

/** Counts the monitors of places, in all and up. */
type CountOn = (places: readonly Place[]) => Promise<{ total: number; up: number }[]>;

/**
 * The shared causes of these outages by id: the trait that most other outages of the owner share, of equal ones the most
 * specific. Three outages have to share it, or all monitors of a host; none under a domain may be up.
 */
export const findSharedCauses = async (
  openOutages: readonly OpenOutage[],
  others: readonly OpenOutage[],
  countOn: CountOn,
): Promise<Map<number, OutageCause>> => {
  const candidates = candidatesOf(openOutages, others);
  const countOf = await countPlaces([...candidates.values()].flat(), countOn);
  const causeOf = ({ place, ...shared }: Candidate): Shared[] => {
    const counted = countOf(place);
    const isAll = counted !== undefined && counted.up === 0;
    if (!isAll && (shared.kind === "shared_domain" || shared.others + 1 < MIN_SHARING)) return [];
    return [{ ...shared, ...(counted && { total: Math.max(counted.total, shared.others + 1) }) }];
  };
  return new Map(
    [...candidates].flatMap(([id, list]): [number, OutageCause][] => {
      const [best] = list.flatMap(causeOf).toSorted((a, b) => b.others - a.others);
      return best ? [[id, best]] : [];
    }),
  );
};
