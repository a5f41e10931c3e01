import type { Deps } from "../../../core/deps";
import { nullable, object, oneOf, optional, time } from "../../../server/answers";
import { COMPONENT_STATUSES, type ComponentStatus } from "../../../shared/status/components";
import type { StatusPage } from "../pages/find";

export type Store = Pick<Deps, "db" | "clock" | "config" | "watching">;

/** The field of what visitors may know of an unknown state: its start, and not the reason. */
export const unknownSinceField = nullable(
  object({ since: time("While its state cannot be known: the time of the last known state. Usually null.") }),
  null,
);
export const presentUnknownSince = (unknown: { since: string } | null) => unknown && { since: unknown.since };

/**
 * How an item counts in the overall status: it works, responds slowly, does not work, is in maintenance, or cannot be known;
 * null if it does not count.
 */
export type Health = "good" | "slow" | "bad" | "maintenance" | "unknown" | null;

/** How an item counts whose state an open incident gives. */
const STATED_HEALTH = {
  operational: "good",
  under_maintenance: "maintenance",
  degraded_performance: "slow",
  partial_outage: "bad",
  major_outage: "bad",
} as const satisfies Record<ComponentStatus, Health>;

/** The field of the state that an open incident gives to an item. */
export const statedField = optional(
  oneOf(
    "The state that an open incident gives it, which wins over the measured one.",
    COMPONENT_STATUSES,
    "partial_outage",
  ),
);
/** The field of the measured state beside it. */
export const measuredField = optional(
  oneOf("In previews only: the measured state, where an incident gives another one.", COMPONENT_STATUSES),
);
type Stated = { component_status?: ComponentStatus };

const MEASURED: Record<string, ComponentStatus> = {
  ...{ up: "operational", degraded: "degraded_performance", down: "major_outage" },
  ...{ active: "operational", inactive: "major_outage" },
};

/** The measured state of one monitor or server in the words of components; undefined where nothing is measured. */
export const measuredStatus = ({
  status,
  unknown,
  maintenance,
}: {
  status: string;
  unknown: unknown;
  maintenance: unknown;
}): ComponentStatus | undefined =>
  unknown ? undefined : maintenance && status !== "paused" ? "under_maintenance" : MEASURED[status];

/** How an item counts: by the state that an open incident gives it, or else as measured. */
export const healthOf = ({ component_status }: Stated, measured: Health): Health =>
  component_status ? STATED_HEALTH[component_status] : measured;

/**
 * One part of a status page. `Row` is one item as it is stored, `Shown` as visitors see it. The page draws the section
 * of the same key.
 */
export type Section<Key extends string, Row, Shown> = {
  /** The field of the public answer. */
  key: Key;
  read(store: Store, page: StatusPage): Promise<Row[]>;
  present(row: Row, page: StatusPage, now: number): Shown;
  /** When a row last changed, in ms since 1970; null before the first change. */
  changedAt(row: Row): number | null;
  health?(shown: Shown): Health;
  /** The measured state of an item, which its owner sees beside the state by an incident. */
  measured?(shown: Shown, row: Row): ComponentStatus | undefined;
};

/** Rows in the order of the chosen ids. Deleted items, and items of other users, are missing. */
export const inOrder = <T extends { id: number }>(rows: T[], ids: number[]): T[] => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};
