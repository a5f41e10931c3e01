/** Creates, changes and deletes monitors. */
import { eq, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { notFound } from "../../core/errors";
import type { Database, Queries, Statement } from "../../db/database";
import { insertMany } from "../../db/insert-many";
import { madeBy, type Owner, ownerOf, type Viewer } from "../../db/owner";
import { monitorPauses, monitors, objectives, monitorStates as states } from "../../db/schema";
import { lock, lockRows, reserveIds } from "../../db/sql";
import { sortKey } from "../../lib/sort-key";
import type { ChangeAction } from "../../shared/audit/changes";
import { NEVER } from "../../shared/monitor";
import type { OutageKind } from "../../shared/notifications";
import { tagsText } from "../../shared/tags";
import type { Facts } from "../accounts/audit/fields";
import { type Author, HUB, type Change as LoggedChange, recordChange } from "../accounts/audit/record";
import { requireRoom } from "../accounts/quotas/service";
import { type Change, purgeTargets, report } from "../alerting/report";
import { addTags, purgeTags, readTags, replaceTags } from "../tags/service";
import { insertHeartbeats, pauseHeartbeat, requireFreeSlug, restartHeartbeat, writeSlug } from "./heartbeats/rows";
import { purgeChecks } from "./history/checks";
import { writePause } from "./history/pauses";
import { type Config, requireAvailable } from "./kinds/kind";
import { kindOf } from "./kinds/registry";
import type { MonitorInput, StoredMonitor } from "./model";
import type { MonitorRow } from "./present";
import { fromRow, isPassive, scheduleIn, slugIn } from "./service";

/** The columns of the fields that a user sets. */
const toColumns = ({ name, kind, config, ...schedule }: MonitorInput) => {
  const { interval, timeout, retries, retryPause, quickRecheck, active } = schedule;
  const { large = [], target, host } = kindOf(kind) ?? {};
  const isLarge = ([field]: [string, unknown]) => large.includes(field);
  const fields = Object.entries(config);
  return {
    name,
    kind,
    target: target?.(config) ?? "",
    host: host?.(config) ?? "",
    config: Object.fromEntries(fields.filter((field) => !isLarge(field))) satisfies Config,
    payload: Object.fromEntries(fields.filter(isLarge)) satisfies Config,
    interval,
    timeout,
    retries,
    retryPause,
    quickRecheck,
    active,
  };
};

type Logged = Pick<
  MonitorInput,
  "name" | "kind" | "interval" | "timeout" | "retries" | "retryPause" | "quickRecheck" | "active" | "config"
>;

const factsOf = (monitor: Logged): Facts => {
  const { name, kind, interval, timeout, retries, retryPause, quickRecheck, active, config } = monitor;
  return { ...config, name, kind, interval, timeout, retries, retryPause, quickRecheck, active };
};

/**
 * The fields of a kind whose values the log shows: those that a read-only API key reads, and addresses, whose
 * secrets the log hides.
 */
const shownFields = (kind: string): string[] =>
  (kindOf(kind)?.fields ?? [])
    .filter(({ type, secret, large }) => type === "address" || !(secret || large || type === "password"))
    .map(({ name }) => name);

const actionOf = (before: Logged, after: Logged): ChangeAction =>
  before.active === after.active ? "changed" : after.active ? "resumed" : "paused";

const objectOf = ({ id, name }: Pick<StoredMonitor, "id" | "name">) => ({ type: "monitor" as const, id, name });

/** The change of a monitor by an update. `others` are facts that are not part of a monitor. */
export const monitorChange = (
  before: StoredMonitor,
  after: Logged,
  others: { before?: Facts; after?: Facts } = {},
): LoggedChange => ({
  action: actionOf(before, after),
  object: objectOf({ id: before.id, name: after.name }),
  teamId: before.teamId,
  before: { ...factsOf(before), ...others.before },
  after: { ...factsOf(after), ...others.after },
  further: shownFields(after.kind),
});

/** The creation or deletion of a monitor. */
export const monitorEvent = (
  action: "created" | "deleted",
  { teamId, ...monitor }: Pick<StoredMonitor, "id" | "name" | "teamId">,
): LoggedChange => ({ action, object: objectOf(monitor), teamId });

/**
 * Creates monitors of a user with reserved ids, within a transaction. Active monitors are due at `now`.
 * @throws {AppError} too_many_tags
 */
export const insertMonitors = async (
  tx: Database,
  added: readonly (MonitorInput & { id: number; token?: string })[],
  { owner, now }: { owner: Owner; now: number },
): Promise<void> => {
  const rows = added.map((monitor) => ({
    ...{ id: monitor.id, ...owner, nameKey: sortKey(monitor.name), createdAt: now, updatedAt: now },
    ...toColumns(monitor),
  }));
  const dueAt = (monitor: MonitorInput) => (monitor.active ? (isPassive(monitor) ? NEVER : now) : null);
  const addedStates = added.map((monitor) => ({
    monitorId: monitor.id,
    nextCheckAt: dueAt(monitor),
    status: "pending" as const,
  }));
  const paused = added.filter(({ active }) => !active);
  await insertMany(tx, monitors, rows);
  await insertMany(tx, states, addedStates);
  await insertMany(
    tx,
    monitorPauses,
    paused.map(({ id }) => ({ monitorId: id, startedAt: now })),
  );
  await insertHeartbeats(
    tx,
    added.filter(isPassive).map((monitor) => ({ ...monitor, slug: slugIn(monitor.config) })),
  );
  await addTags(
    tx,
    { owner, type: "monitor" },
    added.map(({ id, tags = [] }) => ({ id, tags })),
  );
};

/**
 * Creates a monitor that is due at once. Returns its id.
 * @throws {AppError} quota_reached, too_many_tags, validation for a slug in use, or that this machine can't check the kind
 */
export const createMonitor = async (deps: Deps, viewer: Viewer, input: MonitorInput): Promise<number> => {
  await requireAvailable(kindOf(input.kind), input.config, deps.outbound);
  const id = await deps.db.transact(async (tx) => {
    await requireRoom({ ...deps, db: tx }, "monitors", madeBy(viewer));
    if (isPassive(input)) await requireFreeSlug({ db: tx }, viewer.teamId, { slug: slugIn(input.config) });
    const [reserved = 0] = await reserveIds(tx, monitors, 1);
    await insertMonitors(tx, [{ ...input, id: reserved }], { owner: madeBy(viewer), now: deps.clock.now() });
    const made = { id: reserved, name: input.name, teamId: viewer.teamId };
    await recordChange({ ...deps, db: tx }, viewer, monitorEvent("created", made));
    return reserved;
  });
  deps.changedMonitors.add(id);
  return id;
};

/** Where the certificate of a monitor comes from. */
const certificateSource = ({ kind, config }: Pick<MonitorInput, "kind" | "config">): string | undefined =>
  (kindOf(kind)?.certificateSource ?? kindOf(kind)?.target)?.(config);

const changeHeartbeat = (tx: Queries, before: StoredMonitor, { active, config }: MonitorInput, now: number) => [
  writeSlug(tx, before.id, slugIn(config)),
  ...(active
    ? restartHeartbeat(tx, before.id, { schedule: scheduleIn(config), now, resumed: !before.active })
    : pauseHeartbeat(tx, before.id, now)),
];

/**
 * The statements that update a monitor, the outages that it ends, and whether a check in flight is stale and has to start again. It
 * is due at once if its config changed or it was resumed. Pausing it ends its outages: from then on it is not known how it is. With
 * another config, slow answers are counted from the start, and it is made by `by`: their role decides what it may reach.
 */
export const planUpdate = (monitor: StoredMonitor, input: MonitorInput, now: number, by = monitor.userId) => {
  const columns = toColumns(input);
  const { active, interval } = columns;
  const isReconfigured = !Bun.deepEquals(input.config, monitor.config);
  // A result of the previous config must not count for the new one.
  const restart = isReconfigured || active !== monitor.active;
  const isSameCertificate = certificateSource(input) === certificateSource(monitor);
  const passive = isPassive(monitor);
  const soon = { nextCheckAt: passive ? NEVER : now };
  const due = !active ? { nextCheckAt: null } : restart || interval !== monitor.interval ? soon : {};
  const statements = (tx: Queries): Statement[] => [
    ...lockRows(states, states.monitorId, eq(states.monitorId, monitor.id)),
    tx
      .update(monitors)
      .set({ ...columns, ...(isReconfigured && { userId: by }), nameKey: sortKey(input.name), updatedAt: now })
      .where(eq(monitors.id, monitor.id)),
    ...(restart || "nextCheckAt" in due
      ? [
          tx
            .update(states)
            .set({
              ...due,
              // The result of a check in flight is dropped.
              ...(restart && { revision: sql`${states.revision} + 1`, claimedBy: null, slowBits: 0, records: null }),
              ...(!isSameCertificate && { certExpiresAt: null, certFingerprint: null }),
            })
            .where(eq(states.monitorId, monitor.id)),
        ]
      : []),
    writePause(monitor.id, active, now),
    ...(passive && restart ? changeHeartbeat(tx, monitor, input, now) : []),
  ];
  const kinds: OutageKind[] = [
    ...(active ? [] : ["down" as const]),
    ...(restart ? ["slow" as const] : []),
    ...(isSameCertificate ? [] : [kindOf(monitor.kind)?.expires ?? "certificate"]),
  ];
  const ended = kinds.map((kind): Change => ({ targetId: monitor.id, kind, at: now, opens: false, silent: true }));
  return { restart, statements, ended };
};

/**
 * Updates a monitor, as `planUpdate` says. Returns whether a check in flight is stale and has to start again.
 * @throws {AppError} not_found, too_many_tags, validation for a slug in use, or, when the config changed, that this machine
 *   can't check the kind
 */
export const updateMonitor = async (
  deps: Deps,
  { monitor }: MonitorRow,
  input: MonitorInput,
  { by, author = HUB }: { by?: number; author?: Author } = {},
): Promise<boolean> => {
  const { id } = monitor;
  if (!Bun.deepEquals(input.config, monitor.config))
    await requireAvailable(kindOf(input.kind), input.config, deps.outbound);
  const { restart, statements, ended } = planUpdate(monitor, input, deps.clock.now(), by);
  await deps.db.transact(async (tx) => {
    await lock(tx, lockRows(states, states.monitorId, eq(states.monitorId, id)));
    const [stored] = await tx.select().from(monitors).where(eq(monitors.id, id));
    if (!stored) throw notFound("Monitor");
    if (isPassive(input)) await requireFreeSlug({ db: tx }, monitor.teamId, { id, slug: slugIn(input.config) });
    await tx.atomically(statements);
    await report({ ...deps, db: tx }, "monitor", ended);
    const tagsBefore = input.tags && ((await readTags({ db: tx }, "monitor", [id])).get(id) ?? []);
    if (input.tags) await replaceTags(tx, { owner: ownerOf(monitor), type: "monitor" }, [{ id, tags: input.tags }]);
    const tags = { before: { tags: tagsText(tagsBefore ?? []) }, after: { tags: tagsText(input.tags ?? []) } };
    await recordChange({ ...deps, db: tx }, author, monitorChange(fromRow(stored), input, tags));
  });
  deps.changedMonitors.add(id);
  return restart;
};

export const setActive = (deps: Deps, row: MonitorRow, active: boolean, author = HUB): Promise<boolean> =>
  updateMonitor(deps, row, { ...row.monitor, active }, { author });

/** Deletes a monitor with its history, events and rules. */
export const deleteMonitor = async (deps: Deps, { monitor }: MonitorRow, author: Author = HUB): Promise<void> => {
  const { db, clock, changedMonitors } = deps;
  await db.transact(async (tx) => {
    const results = await tx.atomically((build) => [
      // The state is deleted first: from then on no check is recorded, so that none leaves rows behind.
      build.delete(states).where(eq(states.monitorId, monitor.id)),
      ...purgeChecks(build, monitor.id, monitor.createdAt, clock.now()),
      ...purgeTargets(build, "monitor", sql`(${monitor.id})`),
      purgeTags(build, "monitor", sql`(${monitor.id})`),
      build.delete(monitors).where(eq(monitors.id, monitor.id)).returning({ id: monitors.id }),
    ]);
    const isDeleted = (results.at(-1) as unknown[]).length > 0;
    if (isDeleted) await recordChange({ ...deps, db: tx }, author, monitorEvent("deleted", monitor));
  });
  changedMonitors.add(monitor.id);
};

/** The statements that move a monitor to another owner. Its checks and their sums follow by its id. */
export const moveMonitorRows = (tx: Queries, id: number, owner: Owner): Statement[] => [
  ...lockRows(states, states.monitorId, eq(states.monitorId, id)),
  tx.update(monitors).set(owner).where(eq(monitors.id, id)),
  tx.update(objectives).set(owner).where(eq(objectives.monitorId, id)),
];
