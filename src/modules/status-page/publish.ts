import { and, eq } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { agentStates, agents, monitorStates, monitors } from "../../db/schema";
import { isOneOf } from "../../db/sql";
import { createExpiringMap } from "../../lib/expiring-map";
import { isoTime } from "../../lib/time";
import { createCachedResponse } from "../../server/http-encoding";
import { HOUR, MINUTE } from "../../shared/limits";
import { cachePage } from "./cache";
import { cleanCss } from "./css";
import { createFigureReader } from "./figures";
import { type AgentRow, type MonitorRow, overallOf, presentAgent, presentMonitor } from "./present";
import { findPublished, type StatusPage } from "./service";
import { canonicalSlug } from "./slug";

type Store = Pick<Deps, "db" | "clock">;

/** In the order in which they were chosen. What was deleted, or is another's, is not among the rows. */
const inOrder = <T extends { id: number }>(rows: T[], ids: number[]): T[] => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

const readMonitors = async ({ db }: Store, { userId, monitors: ids }: StatusPage): Promise<MonitorRow[]> => {
  if (ids.length === 0) return [];
  const { status, responseTime, lastCheckedAt, recent } = monitorStates;
  const rows = await db
    .select({
      id: monitors.id,
      name: monitors.name,
      active: monitors.active,
      status,
      responseTime,
      lastCheckedAt,
      recent,
    })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorId, monitors.id))
    .where(and(eq(monitors.userId, userId), isOneOf(monitors.id, ids)));
  return inOrder(rows, ids);
};

const readAgents = async ({ db }: Store, { userId, agents: ids }: StatusPage): Promise<AgentRow[]> => {
  if (ids.length === 0) return [];
  const { id, name, hostname, os, version } = agents;
  const { status, reportedAt, cpu, memoryTotal, memoryUsed, diskTotal, diskUsed, networkRx, networkTx } = agentStates;
  const figures = { status, reportedAt, cpu, memoryTotal, memoryUsed, diskTotal, diskUsed, networkRx, networkTx };
  const rows = await db
    .select({ id, name, hostname, os, version, ...figures })
    .from(agents)
    .innerJoin(agentStates, eq(agentStates.agentId, agents.id))
    .where(and(eq(agents.userId, userId), isOneOf(agents.id, ids)));
  return inOrder(rows, ids);
};

type Reader = ReturnType<typeof createFigureReader>;
/** Monitors whose past figures are kept, about 10 kB each. */
const MAX_MONITORS = 1000;
const readers = new WeakMap<Deps["db"], ReturnType<typeof createExpiringMap<number, Reader>>>();

const figuresOf = (store: Store, { userId, monitors: ids }: StatusPage): Reader => {
  const known = readers.get(store.db) ?? createExpiringMap<number, Reader>(MAX_MONITORS);
  readers.set(store.db, known);
  const now = store.clock.now();
  const reader = known.get(userId, now) ?? createFigureReader(store);
  known.set(userId, reader, now, 5 * MINUTE, ids.length);
  return reader;
};

/** Bytes of sanitized stylesheets that are kept: to sanitize 64 KiB takes tens of milliseconds. */
const MAX_CSS = 2 * 1024 * 1024;
const sanitized = createExpiringMap<string, string>(MAX_CSS);

const readCss = (css: string, now: number): string => {
  const known = sanitized.get(css, now);
  if (known !== undefined) return known;
  const cleaned = cleanCss(css);
  sanitized.set(css, cleaned, now, HOUR, css.length + cleaned.length);
  return cleaned;
};

const readData = async (store: Store, page: StatusPage) => {
  const now = store.clock.now();
  const monitorRows = await readMonitors(store, page);
  const agentRows = await readAgents(store, page);
  const ids = monitorRows.map(({ id }) => id);
  const figures = ids.length > 0 ? await figuresOf(store, page)(ids) : new Map();
  const shownMonitors = monitorRows.map((row) => presentMonitor(row, figures.get(row.id), now));
  const shownAgents = agentRows.map((row) => presentAgent(row, page));
  const times = [
    page.updatedAt,
    ...monitorRows.map((row) => row.lastCheckedAt),
    ...agentRows.map((row) => row.reportedAt),
  ];
  const updatedAt = times.reduce<number>((latest, time) => Math.max(latest, time ?? 0), 0);
  return {
    title: page.title,
    description: page.description,
    logoUrl: page.logoUrl,
    customCss: readCss(page.customCss, now),
    overall: overallOf(shownMonitors, shownAgents),
    /** When anything on the page last changed, or null while nothing ever did. */
    updated_at: updatedAt > 0 ? isoTime(updatedAt) : null,
    monitors: shownMonitors,
    agents: shownAgents,
  };
};

export type StatusData = Awaited<ReturnType<typeof readData>>;

/** Memory that a page takes: its data, its answers plain and compressed, and a document for each language. */
const bytesOf = (data: StatusData, json: string): number => 6 * json.length + 6 * data.customCss.length + 65_536;

/**
 * A page that everybody may see, ready to be sent; null when there is none of this slug. All spellings of a slug give
 * the same page.
 */
export const publishedPage = async (store: Store, slug?: string) => {
  const key = slug === undefined ? "" : canonicalSlug(slug);
  if (key === null) return null;
  const kept = await cachePage(
    store,
    key,
    async () => {
      const page = await findPublished(store, key || undefined);
      if (!page) return null;
      const data = await readData(store, page);
      const json = JSON.stringify({ success: true, data });
      return {
        bytes: bytesOf(data, json),
        published: {
          data,
          json: createCachedResponse(json, { "content-type": "application/json" }),
          css: createCachedResponse(data.customCss, { "content-type": "text/css; charset=utf-8" }),
        },
      };
    },
    ({ bytes }) => bytes,
  );
  return kept?.published ?? null;
};

export type Published = NonNullable<Awaited<ReturnType<typeof publishedPage>>>;
