/**
 * Incidents that the hub publishes by itself, for pages whose owners want that. Each step is decided from what is stored, within
 * the transaction that writes it, so that a restart or a second instance publishes nothing twice.
 */
import { and, eq, gte, isNotNull, isNull, or } from "drizzle-orm";
import { readGaps } from "../../../../cluster/gaps";
import type { Deps } from "../../../../core/deps";
import { describeError } from "../../../../core/errors";
import { madeBy } from "../../../../db/owner";
import { incidentComponents, incidentPages, incidents, incidentUpdates, statusPages } from "../../../../db/schema";
import { dateTimeFormat, durationIn } from "../../../../shared/language";
import { DAY, MINUTE } from "../../../../shared/limits";
import type { AutoIncidents } from "../../../../shared/status/auto-incidents";
import type { ComponentStatus } from "../../../../shared/status/components";
import { fillIncidentText, INCIDENT_LIMITS } from "../../../../shared/status/incidents";
import { HUB, recordChange } from "../../../accounts/audit/record";
import { lockOwner } from "../../../accounts/quotas/service";
import { readMutedIds } from "../../../alerting/mutes/service";
import { invalidatePages } from "../../cache";
import { type PageComponent, readComponents } from "../../pages/components";
import { readDownTimes } from "../../pages/down-times";
import { languageOf, type PageRow } from "../../pages/find";
import { membersOf, readStatuses, targetKey } from "../../pages/measured";
import { announceUpdate, readAnnouncedStates } from "../../subscribers/announce";
import { insertIncident, isIncident, logged } from "../service";
import { type Decision, decide, type Existing } from "./decide";

type Store = Pick<Deps, "db" | "clock" | "config" | "log" | "watching">;

/** How far back outages and incidents are read: longer than any wait. */
const LOOK_BACK = 2 * DAY;
/** How long targets get to be checked or to report again after a gap of the hub. */
const SETTLE = 2 * MINUTE;

/** The keys of the muted targets of components. */
const readMuted = async (store: Store, ids: ReturnType<typeof membersOf>): Promise<Set<string>> => {
  const muted = {
    monitor: await readMutedIds(store, "monitor", ids.monitors),
    agent: await readMutedIds(store, "agent", ids.agents),
  };
  return new Set((["monitor", "agent"] as const).flatMap((type) => muted[type].map((id) => targetKey(type, id))));
};

/** The open incidents of a page, and those that ended after a time, with the components that they name. */
const readExisting = async ({ db }: Store, pageId: number, since: number): Promise<Existing[]> => {
  const rows = await db
    .select({
      ...{ id: incidents.id, auto: incidents.auto, resolvedAt: incidents.resolvedAt },
      component: incidentComponents.componentId,
    })
    .from(incidents)
    .innerJoin(incidentPages, and(eq(incidentPages.incidentId, incidents.id), eq(incidentPages.pageId, pageId)))
    .leftJoin(incidentComponents, eq(incidentComponents.incidentId, incidents.id))
    .where(or(isNull(incidents.resolvedAt), gte(incidents.resolvedAt, since)));
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => ({
    ...{ id, auto: own[0]?.auto ?? false, resolvedAt: own[0]?.resolvedAt ?? null },
    components: own.flatMap(({ component }) => component ?? []),
  }));
};

/** What there is to do for a page, with what that needs. */
const plan = async (store: Store, page: PageRow, settings: AutoIncidents) => {
  const now = store.clock.now();
  const components = (await readComponents(store, page)).filter(({ row }) => row.fixedStatus === null);
  const span = { from: now - LOOK_BACK, to: now + 1 };
  const muted = await readMuted(store, membersOf(components));
  const down = await readDownTimes(store, page.teamId, components, { ...span, working: muted });
  const measured = await readDownTimes(store, page.teamId, components, { ...span, withMaintenance: true });
  const starts = [...down.values()].flatMap((times) => times.at(-1)?.from ?? []);
  const existing = await readExisting(store, page.id, Math.min(span.from, ...starts));
  const judged = components.map(({ row: { id } }) => ({
    ...{ id, down: down.get(id) ?? [], measured: measured.get(id) ?? [] },
  }));
  const decision = decide({ settings, components: judged, incidents: existing, now, since: page.autoSince });
  return { components, existing, decision };
};

/** The texts of an incident about components that are down. */
const textsOf = async (store: Store, page: PageRow, names: readonly string[], since: number) => {
  const language = await languageOf(store, page);
  const time = dateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", timeZone: page.zone }).format(since);
  const values = {
    component: names.join(language === "zh-CN" ? "、" : ", "),
    since: `${time} ${page.zone}`,
    duration: durationIn(language, store.clock.now() - since),
  };
  return (text: string, limit: number) => fillIncidentText(text, values).slice(0, limit);
};

const labelsOf = (components: readonly PageComponent[], ids: readonly number[]): string[] =>
  components.filter(({ row }) => ids.includes(row.id)).map(({ label }) => label);

type Step = { page: PageRow; settings: AutoIncidents; components: readonly PageComponent[] };

const publish = async (store: Store, { page, settings, components }: Step, due: { id: number; since: number }[]) => {
  const now = store.clock.now();
  const statuses = await readStatuses(store, page.teamId, components);
  const startedAt = Math.min(...due.map(({ since }) => since));
  const ids = due.map(({ id }) => id);
  const fill = await textsOf(store, page, labelsOf(components, ids), startedAt);
  const named = ids.map((id) => ({ id, status: statuses.get(id) ?? ("major_outage" as const) }));
  const impact = named.some(({ status }) => status === "major_outage") ? ("major" as const) : ("minor" as const);
  const title = fill(settings.title, INCIDENT_LIMITS.title);
  const update = { status: "investigating" as const, body: fill(settings.body, INCIDENT_LIMITS.body), at: now, by: "" };
  const owner = { id: page.userId, teamId: page.teamId };
  const row = await insertIncident(store, owner, {
    ...{ title, impact, startedAt, outageId: null, auto: true },
    ...{ pages: [page.id], components: named, updates: [update] },
  });
  const [first] = await store.db.select().from(incidentUpdates).where(eq(incidentUpdates.incidentId, row.id));
  if (first) await announceUpdate(store, first, { pages: [page.id], before: [], after: named });
  await recordChange(store, HUB, {
    ...{ action: "created", ...logged(row) },
    after: { title, impact, status: "investigating" },
  });
};

const add = async (store: Store, { page, components }: Step, incident: Existing, due: { id: number }[]) => {
  const statuses = await readStatuses(store, page.teamId, components);
  await store.db.insert(incidentComponents).values(
    due.map(({ id }) => ({
      ...{ incidentId: incident.id, componentId: id },
      status: statuses.get(id) ?? ("major_outage" as const),
    })),
  );
};

const resolve = async (store: Store, { page, settings, components }: Step, incident: Existing) => {
  const [row] = await store.db.select().from(incidents).where(isIncident(incident.id));
  if (!row) return;
  const now = store.clock.now();
  const fill = await textsOf(store, page, labelsOf(components, incident.components), row.startedAt);
  const [update] = await store.db
    .insert(incidentUpdates)
    .values({
      ...{ incidentId: row.id, status: "resolved", body: fill(settings.resolved_body, INCIDENT_LIMITS.body) },
      ...{ at: now, by: "", editedAt: null },
    })
    .returning();
  const after = { ...row, status: "resolved" as const, resolvedAt: now };
  await store.db
    .update(incidents)
    .set({ status: "resolved", resolvedAt: now, updatedAt: Math.max(now, row.updatedAt + 1) })
    .where(isIncident(row.id));
  const named = await store.db
    .select({ id: incidentComponents.componentId })
    .from(incidentComponents)
    .where(eq(incidentComponents.incidentId, row.id));
  if (update)
    await announceUpdate(store, update, {
      pages: [page.id],
      // The stored states follow the measured ones without announcements.
      before: await readAnnouncedStates(store, row.id, page.id),
      after: named.map(({ id }) => ({ id, status: "operational" })),
    });
  await recordChange(store, HUB, {
    ...{ action: "changed", ...logged(row) },
    ...{ before: { status: row.status }, after: { status: after.status } },
  });
};

const run = (store: Store, step: Step, decision: Decision): Promise<void> => {
  if (decision.kind === "publish") return publish(store, step, decision.components);
  if (decision.kind === "add") return add(store, step, decision.incident, decision.components);
  return resolve(store, step, decision.incident);
};

/** Shows the components of an open automatic incident as they are measured, because no person has given them a state. */
const syncStatuses = async (store: Store, page: PageRow, components: readonly PageComponent[], open: Existing) => {
  const statuses = await readStatuses(store, page.teamId, components);
  const stored = await store.db
    .select({ id: incidentComponents.componentId, status: incidentComponents.status })
    .from(incidentComponents)
    .where(eq(incidentComponents.incidentId, open.id));
  const changed = stored.flatMap(({ id, status }): { id: number; status: ComponentStatus }[] => {
    const measured = statuses.get(id) ?? status;
    return measured === status ? [] : [{ id, status: measured }];
  });
  for (const { id, status } of changed)
    await store.db
      .update(incidentComponents)
      .set({ status })
      .where(and(eq(incidentComponents.incidentId, open.id), eq(incidentComponents.componentId, id)));
  return changed.length > 0;
};

const runPage = async (store: Store, page: PageRow, settings: AutoIncidents): Promise<void> => {
  const seen = await plan(store, page, settings);
  const isOpen = ({ auto, resolvedAt }: Existing) => auto && resolvedAt === null;
  if (seen.decision === null && !seen.existing.some(isOpen)) return;
  const isWritten = await store.db.transact(async (tx) => {
    const within = { ...store, db: tx };
    const owner = madeBy({ id: page.userId, teamId: page.teamId });
    await lockOwner(tx, owner);
    const [current] = await tx.select().from(statusPages).where(eq(statusPages.id, page.id));
    if (!current?.autoIncidents) return false;
    const { components, existing, decision } = await plan(within, current, current.autoIncidents);
    const open = existing.find(isOpen);
    const isSynced = open ? await syncStatuses(within, current, components, open) : false;
    if (decision) await run(within, { page: current, settings: current.autoIncidents, components }, decision);
    return decision !== null || isSynced;
  });
  if (isWritten) invalidatePages(store.db);
};

/** Publishes, extends and resolves the automatic incidents of all pages. */
export const writeAutomaticIncidents = async (store: Store): Promise<void> => {
  if (store.watching.unknown()) return;
  const now = store.clock.now();
  const pages = await store.db.select().from(statusPages).where(isNotNull(statusPages.autoIncidents));
  if (pages.length === 0) return;
  const gaps = await readGaps(store, { from: now - SETTLE, to: now + 1 });
  if (gaps.length > 0) return;
  for (const page of pages) {
    if (!page.autoIncidents) continue;
    try {
      await runPage(store, page, page.autoIncidents);
    } catch (error) {
      store.log.error("an automatic incident can't be written, will retry", {
        page: page.id,
        error: describeError(error),
      });
    }
  }
};
