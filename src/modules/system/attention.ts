import type { LastMinute } from "../../core/minute-meter";
import { DAY, MINUTE } from "../../shared/limits";
import type { Condition } from "../../shared/monitor";
import type { HubGapReason } from "../../shared/outages/unknown";
import type { BackupProblem } from "./backups/folder";

/** Conditions of the hub that an administrator may have to act on, the most urgent first. */
export const ATTENTION = [
  "database_not_writable",
  "unknown_now",
  "condition",
  "checks_late",
  "disk_nearly_full",
  "database_fills_disk",
  "backup_failed",
  "unwatched",
  "channels_refused",
  "no_public_url",
  "registration_open",
  "agents_outdated",
  "settings_misspelled",
  "backup_old",
] as const;

type AttentionCode = (typeof ATTENTION)[number];
export type Attention = { code: AttentionCode; detail: Record<string, string | number> };

/** Figures of the hub that can need attention; null for unknown ones. */
export type Known = {
  now: number;
  isWritable: boolean;
  unknown: HubGapReason | null;
  conditions: readonly Condition[];
  lastMinute: LastMinute | null;
  /** Bytes; null where the hub cannot know them. */
  disk: { free: number; total: number } | null;
  growth: number | null;
  /** Unwatched milliseconds of the last day. */
  unwatched: number;
  refusedChannels: number;
  hasPublicUrl: boolean;
  isRegistrationOpen: boolean;
  outdatedAgents: number;
  misspelled: readonly string[];
  backedUpAt: number | null;
  backupProblem: BackupProblem | null;
};

/** Seconds: a fifth of the usual shortest interval is not late yet. */
const LATE = 12;
const LEAST_FREE = { share: 0.1, bytes: 10 * 2 ** 30 };
const FULL_WITHIN_DAYS = 30;
/** A restart takes less. */
const UNWATCHED = 10 * MINUTE;
const BACKUP_DAYS = 7;

/** The days until growth fills the free space; null while it does not grow, or one of them is not known. */
const daysLeft = ({ disk, growth }: Known): number | null =>
  disk && growth !== null && growth > 0 ? Math.floor(disk.free / growth) : null;

/** The conditions that need attention, with the figures of their words. Unknown figures raise none. */
export const attentionOf = (known: Known): Attention[] => {
  const { disk, lastMinute, unknown, unwatched, misspelled } = known;
  const days = daysLeft(known);
  const backupAge = known.backedUpAt === null ? 0 : Math.floor((known.now - known.backedUpAt) / DAY);
  const isDiskLow = disk !== null && disk.free < Math.min(disk.total * LEAST_FREE.share, LEAST_FREE.bytes);
  const found: Record<AttentionCode, readonly Attention["detail"][]> = {
    database_not_writable: known.isWritable ? [] : [{}],
    unknown_now: unknown ? [{ reason: unknown }] : [],
    condition: known.conditions.map((condition) => ({ condition })),
    checks_late: (lastMinute?.lateness ?? 0) >= LATE ? [{ seconds: Math.round(lastMinute?.lateness ?? 0) }] : [],
    disk_nearly_full: isDiskLow ? [{ ...disk }] : [],
    database_fills_disk: days !== null && days < FULL_WITHIN_DAYS ? [{ days }] : [],
    backup_failed: known.backupProblem ? [{ problem: known.backupProblem }] : [],
    unwatched: unwatched >= UNWATCHED ? [{ minutes: Math.round(unwatched / MINUTE) }] : [],
    channels_refused: known.refusedChannels > 0 ? [{ channels: known.refusedChannels }] : [],
    no_public_url: known.hasPublicUrl ? [] : [{}],
    registration_open: known.isRegistrationOpen ? [{}] : [],
    agents_outdated: known.outdatedAgents > 0 ? [{ agents: known.outdatedAgents }] : [],
    settings_misspelled: misspelled.length > 0 ? [{ names: misspelled.join(", ") }] : [],
    backup_old: backupAge > BACKUP_DAYS && !known.backupProblem ? [{ days: backupAge }] : [],
  };
  return ATTENTION.flatMap((code) => found[code].map((detail) => ({ code, detail })));
};
