/** What ends soon: certificates, domains, contracts of servers, quotas of traffic, and the space of disks. */
import type { Static } from "@sinclair/typebox";
import type { Deps } from "../../core/deps";
import { tenth } from "../../lib/round";
import { isoTime } from "../../lib/time";
import { id, integer, nullable, number, object, oneOf, text, time } from "../../server/answers";
import { EXPIRY_KINDS } from "../../shared/certificate";
import { DAY } from "../../shared/limits";
import { TARGET_TYPES } from "../../shared/notifications";
import { startOfDay } from "../../shared/time-zone";
import { dayOf } from "../servers/plans/months";
import { readQuotas } from "../servers/report-rows";
import type { Targets } from "./targets";

/** How far a report looks ahead, the least use of a quota in percent that it names, and its entries. */
const [AHEAD, MUCH_USED, MAX_ENTRIES] = [60 * DAY, 80, 20];

export const Upcoming = object({
  kind: oneOf(
    "What ends: a certificate, the registration of a domain, a contract with a provider, the quota of traffic of this month, or the space of a disk.",
    [...EXPIRY_KINDS, "contract", "traffic", "disk"],
  ),
  target_type: oneOf("The kind of target.", TARGET_TYPES),
  target_id: id("The target's id.", 3),
  target_name: text("Its name.", "Payments API"),
  at: time(
    "When it ends, when the month of the quota does, or when the disk is full at the present rate.",
    "2026-02-11T00:00:00.000Z",
  ),
  percent: nullable(number("What is used of the quota in percent; null of others.", 60), null),
  exhausted_at: nullable(time("When the quota is used up at the rate of the month so far; null if not in it."), null),
  price: nullable(number("The price of one period of the contract, where it is known.", 30), null),
  currency: nullable(text("The currency of the price as three letters.", "EUR"), null),
  mount: nullable(text("The mount point of the disk.", "/var"), null),
  months: nullable(integer("The months of one period of the contract.", 12), null),
});
type Entry = Static<typeof Upcoming>;

const NOTHING = { percent: null, exhausted_at: null, price: null, currency: null, mount: null, months: null };

/** Reads what ends soon, the soonest first. Certificates of paused monitors are left out. */
export const readUpcoming = async (
  deps: Pick<Deps, "db" | "clock">,
  { monitors, servers }: Pick<Targets, "monitors" | "servers">,
  zone: string,
): Promise<Entry[]> => {
  const now = deps.clock.now();
  const isSoon = (at: number) => at > now - AHEAD && at < now + AHEAD;
  const names = new Map(servers.map(({ id, name }) => [id, name]));
  const certificates = monitors.flatMap(({ id, name, expires, active, certExpiresAt }): Entry[] =>
    active && certExpiresAt !== null && isSoon(certExpiresAt)
      ? [
          {
            ...{ kind: expires, target_type: "monitor", target_id: id, target_name: name, ...NOTHING },
            at: isoTime(certExpiresAt),
          },
        ]
      : [],
  );
  const contracts = servers.flatMap(({ id, name, plan }): Entry[] => {
    const contract = plan?.contract;
    if (!contract) return [];
    const at = startOfDay(zone, dayOf(contract.endsOn));
    const { price, months } = contract;
    const named = { kind: "contract", target_type: "agent", target_id: id, target_name: name, ...NOTHING } as const;
    return isSoon(at) ? [{ ...named, at: isoTime(at), price, currency: contract.currency || null, months }] : [];
  });
  const quotas = (await readQuotas(deps, servers, now)).flatMap((usage): Entry[] => {
    const { agentId, percent, exhaustedAt, plan, end } = usage;
    if ((percent ?? 0) < MUCH_USED && exhaustedAt === null) return [];
    return [
      {
        ...{ kind: "traffic", target_type: "agent", target_id: agentId, target_name: names.get(agentId) ?? "" },
        ...{ ...NOTHING, percent: tenth(percent), at: isoTime(startOfDay(plan.zone, end)) },
        exhausted_at: exhaustedAt === null ? null : isoTime(exhaustedAt),
      },
    ];
  });
  const disks = servers.flatMap(({ id, name, status, diskForecasts }) =>
    (status === "active" ? (diskForecasts?.disks ?? []) : []).flatMap(([mount, fullAt]): Entry[] => {
      if (fullAt === null || !isSoon(fullAt)) return [];
      const named = { kind: "disk", target_type: "agent", target_id: id, target_name: name } as const;
      return [{ ...named, ...NOTHING, mount, at: isoTime(fullAt) }];
    }),
  );
  return [...certificates, ...contracts, ...quotas, ...disks]
    .sort((a, b) => a.at.localeCompare(b.at) || a.target_name.localeCompare(b.target_name))
    .slice(0, MAX_ENTRIES);
};
