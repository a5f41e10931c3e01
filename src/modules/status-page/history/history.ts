/** A month or a day of a page: its outages, incidents and maintenance. */
import type { Static } from "@sinclair/typebox";
import { and, desc, eq, gte, isNull, lt, or } from "drizzle-orm";
import { incidentPages, incidents } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { component, list, nullable, text, time } from "../../../server/answers";
import { PublicIncident, presentPublic } from "../incidents/present";
import type { StatusPage } from "../pages/find";
import { withDetails } from "../sections/incidents";
import { maintenanceSection, PublicMaintenanceSchema, readPlanned } from "../sections/maintenance";
import { outagesSection, PublicOutageSchema, readOutages } from "../sections/outages";
import type { Store } from "../sections/section";
import { withTagged } from "../tagged";
import { daySpan, type HistorySpan, monthSpan } from "./spans";

/** Entries of each kind at most. */
const LIMIT = 300;

const date = (description: string, example: string) => nullable(text(description, example));

export const StatusHistory = component("StatusHistory", {
  month: date("The month; null where a day was asked for.", "2026-01"),
  day: date("The day (UTC); null where a month was asked for.", "2026-01-15"),
  zone: text("The time zone of the page, in which months begin.", "Europe/Berlin"),
  from: time("When it begins: with the history of the page at the earliest."),
  to: time("When it ends.", "2026-01-31T23:00:00.000Z"),
  earlier: date("The month or day before; null where the history begins.", "2025-12"),
  later: date("The month or day after; null for the current one.", "2026-02"),
  incidents: list(PublicIncident, "With their latest update, newest first."),
  outages: list(PublicOutageSchema, "Newest first."),
  maintenance: list(PublicMaintenanceSchema, "What has begun, newest first."),
});
export type StatusHistory = Static<typeof StatusHistory>;

const readIncidents = async (store: Store, page: StatusPage, { from, to }: HistorySpan) => {
  const rows = await store.db
    .select({ incident: incidents })
    .from(incidents)
    .innerJoin(incidentPages, eq(incidentPages.incidentId, incidents.id))
    .where(
      and(
        eq(incidentPages.pageId, page.id),
        lt(incidents.startedAt, to),
        or(isNull(incidents.resolvedAt), gte(incidents.resolvedAt, from)),
      ),
    )
    .orderBy(desc(incidents.startedAt), desc(incidents.id))
    .limit(LIMIT);
  const found = await withDetails(
    store,
    page.id,
    rows.map(({ incident }) => incident),
  );
  return found.map(({ row, updates, components }) =>
    presentPublic(row, updates.slice(0, 1), { components, slug: page.slug }),
  );
};

/** The part of a page's history that a request asks for; null for one outside of it. */
export const readHistory = async (
  store: Store,
  saved: StatusPage,
  asked: { month?: string | undefined; day?: string | undefined },
): Promise<StatusHistory | null> => {
  const now = store.clock.now();
  const span = asked.day === undefined ? monthSpan(saved, now, asked.month) : daySpan(saved, now, asked.day);
  if (span === null || saved.updatedAt === null) return null;
  const page = await withTagged(store, saved);
  const { from, to } = span;
  const outages = await readOutages(store, page, { from, to, limit: LIMIT });
  const planned = from < now ? await readPlanned(store, page, { from, to: Math.min(to, now), most: LIMIT }) : [];
  return {
    ...{ month: span.month, day: span.day, zone: page.zone, from: isoTime(from), to: isoTime(to) },
    ...{ earlier: span.earlier, later: span.later },
    incidents: await readIncidents(store, page, span),
    outages: outages.map((row) => outagesSection.present(row, page, now)),
    maintenance: planned
      .reverse()
      .slice(0, LIMIT)
      .map((row) => maintenanceSection.present(row, page, now)),
  };
};
