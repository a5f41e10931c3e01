/**
 * What alerting reads of the monitors and servers that it alerts about. Both modules provide it when the hub is loaded, so
 * that alerting imports neither of them.
 */

import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import type { Owner } from "../../db/owner";
import type { Interval } from "../../lib/intervals";
import type { CheckError, CheckErrorCode, ErrorDetail } from "../../shared/check-error";
import type { Metric, RuleThresholds, TargetType } from "../../shared/notifications";

type Store = Pick<Deps, "db" | "clock">;

/** When a target was watched, apart from the gaps of the hub. */
export type Watching = {
  /** Its first check or report; null before. */
  since: number | null;
  /** When it was paused. */
  pauses: readonly Interval[];
  /** When its state was unknown besides. */
  unknown: readonly Interval[];
};

/** Read from each kind of target. Answers leave deleted targets out. */
type TargetView = {
  /** The table of targets. Only `id`, `user_id`, `team_id` and `name` are read. */
  table: SQLWrapper;
  /** The name of a target if this user owns it. */
  readOwn: (store: Pick<Deps, "db">, id: number, teamId: number) => Promise<string | undefined>;
  /** When these targets were watched in a span; what lasts ends with the span. */
  readWatching: (store: Pick<Deps, "db">, ids: readonly number[], span: Interval) => Promise<Map<number, Watching>>;
};

type MonitorFacts = {
  /** The host of its target; empty for a heartbeat. */
  host: string;
  /** The target as text; null for a heartbeat. */
  address: string | null;
  /** Seconds. */
  interval: number;
  /** Whether it waits for reports, and so cannot be checked on request. */
  isPassive: boolean;
  isActive: boolean;
  lastCheckedAt: number | null;
};

/** A host, or a domain with all names under it, as one owner's monitors have it. */
export type Place = { teamId: number; value: string; isDomain: boolean };

/** Checks in a row that failed in the same way. */
type FailedRun = {
  started_at: string;
  last_at: string;
  checks: number;
  status_code: number | null;
  error_code: CheckErrorCode | null;
  error_detail: ErrorDetail | null;
};

export type ServerFacts = {
  name: string;
  /** Seconds between its reports; null before the first. */
  interval: number | null;
  reportedAt: number | null;
  /** When it counts as offline unless it reports; null unless it is active. */
  deadline: number | null;
  /** The time of its last report if it should have reported since; null while it reports. */
  silentSince: number | null;
  bootedAt: number | null;
  /** In percent, null without a figure. */
  cpu: number | null;
  memory: number | null;
  /** `mount` is null where only the sum of all disks is known. */
  fullestDisk: { mount: string | null; percent: number } | null;
};

/** The machine was started, or its agent program was replaced by another version. */
export const SERVER_CHANGES = ["booted", "agent_updated"] as const;
type ServerChange = { what: (typeof SERVER_CHANGES)[number]; at: number; version: string | null };

/** The thresholds of a rule, for all servers (0) or one. */
export type ThresholdsOfRule = {
  targetId: number;
  thresholds: RuleThresholds;
  /** The figures that alert; null while the rule for all servers counts instead. */
  alerts: readonly Metric[] | null;
};

type Views = {
  monitor: TargetView & {
    /** The condition that a monitor is paused. */
    isPaused: (id: SQLWrapper) => SQL;
    /** The condition that a monitor is checked by the hub, and does not wait for reports. */
    isChecked: (id: SQLWrapper) => SQL;
    read: (store: Pick<Deps, "db">, ids: readonly number[]) => Promise<Map<number, MonitorFacts>>;
    /**
     * How many active monitors of an owner have each of these hosts, or are under each of these domains, and how many are up by
     * a check after a time.
     */
    countOn: (
      store: Pick<Deps, "db">,
      places: readonly Place[],
      checkedAfter?: number,
    ) => Promise<{ total: number; up: number }[]>;
    /** Why the last check of each monitor failed, null if it did not, and how many have failed in a row. */
    readFailures: (
      store: Pick<Deps, "db">,
      ids: readonly number[],
    ) => Promise<Map<number, { error: CheckError | null; inRow: number }>>;
    /** The latest failed checks of a monitor in a span, newest first. */
    readFailedRuns: (
      deps: Deps,
      id: number,
      span: { after: number; before?: number; limit: number },
    ) => Promise<FailedRun[]>;
    /** Whether a monitor was paused at exactly this time. */
    wasPausedAt: (store: Pick<Deps, "db">, id: number, time: number) => Promise<boolean>;
  };
  agent: TargetView & {
    read: (store: Store, ids: readonly number[]) => Promise<Map<number, ServerFacts>>;
    /** The thresholds of a user's rules, or of one, by the id of the server; 0 for all servers. */
    readRuleThresholds: (
      store: Pick<Deps, "db">,
      teamId: number,
      targetId?: number,
    ) => Promise<Map<number, RuleThresholds>>;
    /** Replaces the thresholds of rules, within a transaction. */
    writeRuleThresholds: (store: Store, owner: Owner, rules: readonly ThresholdsOfRule[]) => Promise<void>;
    /** What last changed of a server by itself; a time of 0 where nothing is known. */
    readChanges: (store: Pick<Deps, "db">, id: number) => Promise<ServerChange[]>;
    /** The first servers of these owners, with the addresses and names that targets may refer to. */
    readHosts: (
      store: Pick<Deps, "db">,
      owners: readonly number[],
      limit: number,
    ) => Promise<{ id: number; teamId: number; addresses: string[]; names: string[] }[]>;
  };
};

let provided: Views | undefined;

/** Sets what alerting reads of its targets. */
export const provideTargets = (views: Views): void => {
  provided = views;
};

/** The view of one kind of target. */
export const viewOf = <Type extends TargetType>(type: Type): Views[Type] => {
  if (!provided) throw new Error("nothing provides targets");
  return provided[type];
};

/** The name of a target, as a subquery; empty when it is deleted. */
export const targetName = (type: SQLWrapper, id: SQLWrapper): SQL<string> => {
  const nameIn = (of: TargetType) => sql`(select named.name from ${viewOf(of).table} as named where named.id = ${id})`;
  return sql<string>`coalesce(case ${type} when 'monitor' then ${nameIn("monitor")} else ${nameIn("agent")} end, '')`;
};
