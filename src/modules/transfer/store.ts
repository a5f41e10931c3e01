import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { ownedBy } from "../../db/owner";
import { agents, channels, monitors, notificationRules, statusPages, users } from "../../db/schema";
import { isOneOf, lockRows, withValues } from "../../db/sql";
import type { MonitorInput } from "../monitors/model";
import { fromRow, insertMonitors } from "../monitors/service";
import type { ChannelInput } from "./parse";
import type { PlannedPage, PlannedSetting } from "./plan";

type Owner = { id: number; role: "admin" | "user" };

/** Detects added and deleted rows of a user, by their number and the sum of their ids. */
export type Snapshot = { count: number; sum: number };

/**
 * The monitors that count for a snapshot. A quota counts all of them; administrators have none, and of their monitors
 * only those with a name of the file matter, which are found by an index however many there are.
 */
const countedMonitors = (owner: Owner, names: readonly string[]): SQL =>
  owner.role === "admin" ? sql` and ${namedAs(sql`stored.name`, names)}` : sql``;

const namedAs = (column: SQLWrapper, names: readonly string[]): SQL =>
  names.length > 0 ? isOneOf(column, names) : sql`false`;

const readSnapshot = async (
  db: Deps["db"],
  table: typeof monitors | typeof channels,
  { id }: Owner,
  counted: SQL = sql``,
): Promise<Snapshot> => {
  const [row] = await db.rows(
    sql`select count(*) as count, coalesce(sum(stored.id), 0) as sum from ${table} as stored where stored.user_id = ${id}${counted}`,
  );
  return { count: Number(row?.count), sum: Number(row?.sum) };
};

/** Those that still exist, in order: a stored page may have chosen deleted items. */
const existing = async (
  { db }: Pick<Deps, "db">,
  table: typeof monitors | typeof agents,
  ids: readonly number[],
): Promise<number[]> => {
  if (ids.length === 0) return [];
  const rows = await db.select({ id: table.id }).from(table).where(isOneOf(table.id, ids));
  const found = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => found.has(id));
};

/** What a user has, as far as an import needs it: of the monitors, those with a name in the file. */
export const readOwn = async ({ db }: Pick<Deps, "db">, owner: Owner, monitorNames: readonly string[]) => {
  const { id, name, hostname } = agents;
  const names = [...new Set(monitorNames)];
  // Counted before it is read, so that additions in between restart the import.
  const snapshots = {
    monitors: await readSnapshot(db, monitors, owner, countedMonitors(owner, names)),
    channels: await readSnapshot(db, channels, owner),
  };
  const [ownMonitors, ownAgents, ownChannels, settings, [page]] = await Promise.all([
    db
      .select()
      .from(monitors)
      .where(and(ownedBy(monitors, owner.id), namedAs(monitors.name, names))),
    db.select({ id, name, hostname }).from(agents).where(ownedBy(agents, owner.id)),
    db.select().from(channels).where(ownedBy(channels, owner.id)),
    db.select().from(notificationRules).where(ownedBy(notificationRules, owner.id)),
    db.select().from(statusPages).where(ownedBy(statusPages, owner.id)),
  ]);
  const ownPage = page && {
    ...page,
    monitors: await existing({ db }, monitors, page.monitors),
    agents: await existing({ db }, agents, page.agents),
  };
  return {
    names,
    snapshots,
    monitors: ownMonitors.map(fromRow),
    agents: ownAgents,
    channels: ownChannels,
    settings,
    page: ownPage,
  };
};

export type Own = Awaited<ReturnType<typeof readOwn>>;

/** Everything that an import adds, with reserved ids. */
export type Additions = {
  monitors: (MonitorInput & { id: number })[];
  channels: (ChannelInput & { id: number })[];
  settings: PlannedSetting[];
  page: (PlannedPage & { slug: string }) | null;
};

const CHANNEL = { id: "bigint", name: "text", type: "text", config: "json", enabled: "boolean" } as const;
const SETTING = {
  target_type: "text",
  target_id: "bigint",
  enabled: "boolean",
  override_global: "boolean",
  on_down: "boolean",
  on_recovery: "boolean",
  on_offline: "boolean",
  on_cpu_threshold: "boolean",
  cpu_threshold: "double precision",
  on_memory_threshold: "boolean",
  memory_threshold: "double precision",
  on_disk_threshold: "boolean",
  disk_threshold: "double precision",
  channels: "json",
} as const;
const PAGE = {
  slug: "text",
  title: "text",
  description: "text",
  logo_url: "text",
  custom_css: "text",
  monitors: "json",
  agents: "json",
  show_hostname: "boolean",
  show_os: "boolean",
  show_version: "boolean",
} as const;

const names = (columns: object) => sql.raw(Object.keys(columns).join(", "));

const settingRow = ({ targetType, targetId, setting }: PlannedSetting) => [
  targetType,
  targetId,
  setting.enabled,
  setting.overrideGlobal,
  setting.onDown,
  setting.onRecovery,
  setting.onOffline,
  setting.onCpuThreshold,
  setting.cpuThreshold,
  setting.onMemoryThreshold,
  setting.memoryThreshold,
  setting.onDiskThreshold,
  setting.diskThreshold,
  setting.channels,
];

/** The condition that nothing of a user's was added since it was read, their role is the same, and the slug is free. */
const unchangedSince = (own: Own, { monitors: added, channels: addedChannels, page }: Additions, owner: Owner): SQL => {
  const same = (
    table: typeof monitors | typeof channels,
    { count, sum }: Snapshot,
    fresh: { id: number }[],
    counted: SQL = sql``,
  ) => {
    const ids = fresh.map(({ id }) => id);
    const others = ids.length > 0 ? sql`${counted} and not (${isOneOf(sql`stored.id`, ids)})` : counted;
    return sql`exists (select 1 from (select count(*) as n, coalesce(sum(stored.id), 0) as s from ${table} as stored
      where stored.user_id = ${owner.id}${others}) as snapshot where snapshot.n = ${count} and snapshot.s = ${sum})`;
  };
  return sql`exists (select 1 from ${users} where ${users.id} = ${owner.id} and ${users.role} = ${owner.role})
    and ${same(monitors, own.snapshots.monitors, added, countedMonitors(owner, own.names))}
    and ${same(channels, own.snapshots.channels, addedChannels)}
    and not exists (select 1 from ${statusPages} where ${statusPages.slug} = ${page?.slug ?? ""} and ${statusPages.userId} <> ${owner.id})`;
};

/**
 * Writes all additions or none, and returns whether it did: not when the user's data changed since it was read, as
 * by a concurrent import of the same file.
 */
export const writeAdditions = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  owner: Owner,
  own: Own,
  additions: Additions,
): Promise<boolean> => {
  const userId = owner.id;
  const now = clock.now();
  const still = unchangedSince(own, additions, owner);
  const lock = lockRows(users, users.id, eq(users.id, userId));
  const channelRows = additions.channels.map(({ id, name, type, config, enabled }) => [
    id,
    name,
    type,
    config,
    enabled,
  ]);
  const pages = additions.page ? [additions.page] : [];
  const pageRows = pages.map((page) => [
    page.slug,
    page.title,
    page.description,
    page.logoUrl,
    page.customCss,
    page.monitors,
    page.agents,
    page.showHostname,
    page.showOs,
    page.showVersion,
  ]);
  // Comparing the snapshot is slow for large accounts, so it is skipped without additions.
  const unlessEmpty = (rows: unknown[], ...statements: SQL[]) => (rows.length > 0 ? statements : []);
  const settingRows = additions.settings.map(settingRow);
  const written = await db.atomically((tx) => [
    ...lock,
    ...unlessEmpty(additions.monitors, ...insertMonitors(additions.monitors, { userId, now, condition: still })),
    ...unlessEmpty(
      channelRows,
      sql`${withValues("g", CHANNEL, channelRows)} insert into ${channels} (${names(CHANNEL)}, user_id, created_at, updated_at)
        select ${names(CHANNEL)}, cast(${userId} as bigint), cast(${now} as bigint), cast(${now} as bigint) from g where ${still}`,
    ),
    ...unlessEmpty(
      settingRows,
      sql`${withValues("g", SETTING, settingRows)} insert into ${notificationRules} (${names(SETTING)}, user_id)
        select ${names(SETTING)}, cast(${userId} as bigint) from g where ${still} on conflict do nothing`,
    ),
    ...unlessEmpty(
      pageRows,
      sql`${withValues("g", PAGE, pageRows)} insert into ${statusPages} (${names(PAGE)}, user_id, updated_at)
        select ${names(PAGE)}, cast(${userId} as bigint), cast(${now} as bigint) from g where ${still} on conflict do nothing`,
    ),
    tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), still)),
  ]);
  return [...(written.at(-1) as unknown[])].length > 0;
};
