/** The networks of targets, and the monitors that were reached last in each. */
import { networkInterfaces } from "node:os";
import { isInNetwork, parseNetwork, parseUnmapped } from "../../../../lib/host";
import type { Outcome } from "../../../../probe/outcome";
import type { CheckErrorCode } from "../../../../shared/check-error";
import { MINUTE, SECOND } from "../../../../shared/limits";
import type { Config } from "../../../../shared/monitor-kinds/field";

/** Networks that are remembered; the oldest is dropped first. */
const MAX_NETWORKS = 10_000;
/** Targets that answer more slowly are no quick evidence (ms). */
const QUICK = 2 * SECOND;
/** A target that was not reached for this long gives way to any other of its network. */
const STALE = 10 * MINUTE;

/** The network of an address: /24 of IPv4, /48 of IPv6. */
export const networkOf = (address: string): string => {
  if (!address.includes(":")) return address.slice(0, address.lastIndexOf("."));
  const groups = (address.split("::")[0] ?? "").split(":");
  return [groups[0] || "0", groups[1] || "0", groups[2] || "0"].join(":");
};

/** Whether name servers decide where a target is. */
export const isName = (host: string): boolean => parseUnmapped(host) === null;

/** The part of a name that one operator is likely to run, for targets without an address. */
const zoneOf = (host: string): string => host.replace(/\.$/, "").split(".").slice(-2).join(".");

export const placeOfFailure = (host: string, address: string | undefined): string =>
  address ? networkOf(address) : parseUnmapped(host) ? networkOf(host) : zoneOf(host);

/** Whether an address is this machine, a neighbour that no router is needed for, or behind a router. */
export type Place = "machine" | "link" | "outside";

export const placeOf = (address: string): Place => {
  if (/^(127\.|::1$|::ffff:127\.)/.test(address) || /(^|\.)localhost\.?$/.test(address)) return "machine";
  const parsed = parseUnmapped(address);
  if (parsed === null) return "outside";
  const entries = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const isOnLink = entries.some(({ internal, cidr }) => !internal && cidr && isInNetwork(parsed, parseNetwork(cidr)));
  return isOnLink ? "link" : "outside";
};

/**
 * Errors that are answers: something was reached, the target or something that answers in its place, such as a captive
 * portal. After all others nothing may have been reached.
 */
const ANSWERS =
  /^(status|keyword|json|header|body|redirects|invalid|tls|reply|protocol|websocket|grpc|domain|dns_(not_found|no_name|no_record|no_family|mismatch|invalid))/;
export const isAnswer = (code: CheckErrorCode): boolean => ANSWERS.test(code);

/** Errors of the settings: nothing was asked. */
export const isRefusedHere = (code: CheckErrorCode): boolean =>
  code.startsWith("blocked_") || code === "domain_no_rdap";

/** Whether only the target itself can have answered, and no captive portal in its place. */
export const isVerifiedBy = ({ certExpiresAt }: Pick<Outcome, "certExpiresAt">, config: Config): boolean =>
  (certExpiresAt !== null && !config.accept_self_signed) ||
  Boolean((config.assertions as unknown[] | undefined)?.length || config.expect || config.preset);

type Known = { monitorId: number; host: string; reachedAt: number; place: Place; verified: boolean };
type Reached = Omit<Known, "place"> & { address: string; responseTime: number | null };

/** The networks that were reached since the start, one entry each. */
export const createNetworks = (placeOf: (address: string) => Place) => {
  const networks = new Map<string, Known>();
  let verified = 0;
  let outside = 0;

  const drop = (network: string): void => {
    const entry = networks.get(network);
    if (!entry) return;
    verified -= Number(entry.verified);
    outside -= Number(entry.place === "outside");
    networks.delete(network);
  };

  return {
    /** How many there are behind a router, or in all. */
    size: (all: boolean) => (all ? networks.size : outside),
    has: (network: string) => networks.has(network),
    drop,
    /** Records that a target fails, so that it is asked no more. */
    failed: (network: string, monitorId: number): void => {
      if (networks.get(network)?.monitorId === monitorId) drop(network);
    },
    /** Whether some network has a target that only it can answer for. */
    hasVerified: () => verified > 0,

    /** Records that a target was reached, and returns where it is. */
    reached: ({ address, responseTime, monitorId, host, reachedAt, verified: isVerified }: Reached): Place => {
      const network = networkOf(address);
      const entry = networks.get(network);
      if (entry) {
        const isStale = reachedAt - entry.reachedAt > STALE;
        // A target with a verified answer is better evidence than the latest one.
        if ((responseTime ?? 0) <= QUICK && (isVerified || !entry.verified || isStale)) {
          verified += Number(isVerified) - Number(entry.verified);
          // Each by itself, because every check that succeeds does this.
          entry.monitorId = monitorId;
          entry.host = host;
          entry.reachedAt = reachedAt;
          entry.verified = isVerified;
        }
        return entry.place;
      }
      const place = placeOf(address);
      if (place === "machine") return place;
      networks.set(network, { monitorId, host, reachedAt, verified: isVerified, place });
      verified += Number(isVerified);
      outside += Number(place === "outside");
      const [oldest] = networks.keys();
      if (networks.size > MAX_NETWORKS && oldest !== undefined) drop(oldest);
      return place;
    },

    /**
     * Up to `count` networks with a healthy target, those reached last first, and further ones with each `round`; those
     * whose answers are verified if there are any.
     */
    healthy: (count: number, round: number, isAsked: (entry: Known) => boolean) => {
      const all = [...networks].filter(([, entry]) => isAsked(entry));
      const best = all.some(([, entry]) => entry.verified) ? all.filter(([, entry]) => entry.verified) : all;
      const sorted = best.sort(([, a], [, b]) => b.reachedAt - a.reachedAt);
      const start = sorted.length === 0 ? 0 : (round * count) % sorted.length;
      return [...sorted.slice(start), ...sorted.slice(0, start)]
        .slice(0, count)
        .map(([network, { monitorId, host, place, verified }]) => ({ network, monitorId, host, place, verified }));
    },
  };
};

export type Networks = ReturnType<typeof createNetworks>;
