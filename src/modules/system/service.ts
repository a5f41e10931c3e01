import { statfs } from "node:fs/promises";
import type { Static } from "@sinclair/typebox";
import { version } from "../../build-info";
import { readGaps } from "../../cluster/gaps";
import { readInstances } from "../../cluster/instances";
import type { Deps } from "../../core/deps";
import { effectiveSettings } from "../../core/settings/effective";
import { readSetting } from "../../db/app-settings";
import { lengthOf, mergeIntervals } from "../../lib/intervals";
import { isoTime, isoTimeOrNull } from "../../lib/time";
import { DAY, SECOND } from "../../shared/limits";
import { registrationState } from "../accounts/account/registration";
import { firstAccountAt } from "../accounts/account/service";
import { countWaiting } from "../accounts/mail/send";
import { readQuotaUse } from "../accounts/quotas/service";
import { readRefused } from "../alerting/channels/refused";
import { countOutdated } from "../servers/agent-versions";
import { attentionOf } from "./attention";
import { readBackupState } from "./backups/nightly";
import { readGrowth } from "./growth";
import type { System } from "./model";

/** The length of the last days, at most since the first account, and the unwatched part of it. Milliseconds. */
const readUnwatched = async (deps: Deps, days: number, since: number | null) => {
  const to = deps.clock.now();
  const from = Math.max(to - days * DAY, since ?? to);
  const gaps = (await readGaps(deps, { from, to })).map((gap) => ({
    from: Math.max(gap.from, from),
    to: Math.min(gap.to ?? to, to),
  }));
  return { length: to - from, unwatched: lengthOf(mergeIntervals(gaps)) };
};

const shareOf = ({ length, unwatched }: Awaited<ReturnType<typeof readUnwatched>>): number | null => {
  if (length <= 0) return null;
  const percent = Math.round((1 - unwatched / length) * 100_000) / 1000;
  return unwatched > 0 ? Math.min(99.999, percent) : 100;
};

/** The space of the disk with the SQLite database; null for PostgreSQL, whose disk the hub does not see. */
const readDisk = async ({ config, db }: Deps) => {
  if (db.engine !== "sqlite") return null;
  const stats = await statfs(config.dataDir).catch(() => null);
  return stats && { free: stats.bavail * stats.bsize, total: stats.blocks * stats.bsize };
};

/** Reads the state of the hub for administrators. `isHealthy` is what GET /health answers by. */
export const readSystem = async (deps: Deps, isHealthy: () => Promise<boolean>): Promise<Static<typeof System>> => {
  const { config, db, clock, meters, instance, outbound, watching } = deps;
  const now = clock.now();
  const health = await isHealthy();
  const size = await db.size();
  const [disk, growth] = [await readDisk(deps), await readGrowth(deps, size)];
  const since = await firstAccountAt(deps);
  const [day, month] = [await readUnwatched(deps, 1, since), await readUnwatched(deps, 30, since)];
  const { mail, mailError, refused } = await readRefused(deps);
  const backup = await readSetting(db, "backed_up_at");
  const backedUpAt = backup === undefined ? null : Number(backup);
  const nightly = await readBackupState(deps);
  const lastMinute = meters.lastMinute();
  const attention = attentionOf({
    now,
    isWritable: health,
    unknown: watching.unknown()?.reason ?? null,
    conditions: outbound.conditions().map(({ code }) => code),
    lastMinute,
    disk,
    growth,
    unwatched: day.unwatched,
    refusedChannels: refused,
    hasPublicUrl: config.publicUrl !== "",
    isRegistrationOpen: (await registrationState(deps, false)).open,
    outdatedAgents: await countOutdated(deps),
    misspelled: config.misspelled.map(({ name, setting }) => (setting ? `${name} (${setting})` : name)),
    backedUpAt,
    backupProblem: nightly?.problem ?? null,
  });
  return {
    success: true,
    now: isoTime(now),
    version,
    started_at: isoTime(Math.round(now - process.uptime() * SECOND)),
    status: health ? "ok" : "unavailable",
    instance,
    instances: (await readInstances(deps)).map(({ id, seenAt, blindSince }) => ({
      id,
      seen_at: isoTime(seenAt),
      blind_since: isoTimeOrNull(blindSince),
    })),
    attention,
    database: { engine: db.engine, size, growth, disk },
    work: lastMinute && {
      checks: lastMinute.checksPerSecond,
      reports: lastMinute.reportsPerSecond,
      lateness: lastMinute.lateness,
    },
    watched: { "24h": shareOf(day), "30d": shareOf(month) },
    quotas: await readQuotaUse(deps),
    mail: {
      server: config.mail && `${config.mail.host}:${config.mail.port}`,
      waiting: await countWaiting(deps),
      channels: mail,
      error_code: mailError?.code ?? null,
      error_detail: mailError?.detail ?? null,
    },
    last_backup: isoTimeOrNull(backedUpAt),
    next_backup: isoTimeOrNull(nightly?.nextAt ?? null),
    backup_error: nightly?.problem ?? null,
    backup_failing_since: isoTimeOrNull(nightly?.failingSince ?? null),
    settings: effectiveSettings(config).map(({ name, value, isSecret, isSet }) => ({
      name,
      value,
      secret: isSecret,
      set: isSet,
    })),
  };
};
