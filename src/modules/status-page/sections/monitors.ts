import { and, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { ownedBy } from "../../../db/owner";
import { monitorStates, monitors } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { createExpiringMap } from "../../../lib/expiring-map";
import { MINUTE } from "../../../shared/limits";
import { createFigureReader, type Figures } from "../figures";
import { type MonitorRow, type PublicMonitor, presentMonitor } from "../present";
import type { StatusPage } from "../service";
import { inOrder, type Section, type Store } from "./section";

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

const read = async (store: Store, page: StatusPage): Promise<{ row: MonitorRow; figures: Figures }[]> => {
  const ids = page.monitors;
  if (ids.length === 0) return [];
  const { status, responseTime, lastCheckedAt, recent } = monitorStates;
  const rows = await store.db
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
    .where(and(ownedBy(monitors, page.userId), isOneOf(monitors.id, ids)));
  const chosen = inOrder(rows, ids);
  const figures = chosen.length > 0 ? await figuresOf(store, page)(chosen.map(({ id }) => id)) : new Map();
  return chosen.map((row) => ({ row, figures: figures.get(row.id) }));
};

/** The services: monitors with their uptime and latest checks. */
export const monitorsSection: Section<"monitors", { row: MonitorRow; figures: Figures }, PublicMonitor> = {
  key: "monitors",
  read,
  present: ({ row, figures }, _page, now) => presentMonitor(row, figures, now),
  changedAt: ({ row }) => row.lastCheckedAt,
  health: ({ status }) => (status === "down" ? "bad" : status === "up" ? "good" : null),
};
