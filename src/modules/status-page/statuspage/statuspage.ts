/** Status pages in the form of Atlassian Statuspage, for its clients. */

import type { Deps } from "../../../core/deps";
import { isoTime } from "../../../lib/time";
import { type CachedResponse, createCachedResponse } from "../../../server/http-encoding";
import type { ComponentStatus } from "../../../shared/status/components";
import type { Pass } from "../access/gate";
import { cachePage } from "../cache";
import { addressOf, pathOf } from "../pages/address";
import { readComponents } from "../pages/components";
import { findPublished, type PageRow } from "../pages/find";
import { readStatuses } from "../pages/measured";
import { presentComponents, worstOf } from "./components";
import { readIncidents } from "./incidents";
import { readMaintenances } from "./maintenances";
import type { Impact, StatuspageIncident, StatuspageStatus } from "./shapes";

type Store = Pick<Deps, "db" | "clock" | "config" | "watching">;

const WORDS = {
  none: "All Systems Operational",
  maintenance: "Service Under Maintenance",
  minor: "Partially Degraded Service",
  major: "Partial System Outage",
  critical: "Major Service Outage",
} as const satisfies Record<Impact, string>;

/** From the best to the worst. */
const IMPACTS = ["none", "maintenance", "minor", "major", "critical"] as const satisfies Impact[];

const INDICATORS = {
  operational: "none",
  under_maintenance: "maintenance",
  degraded_performance: "minor",
  partial_outage: "major",
  major_outage: "major",
} as const satisfies Record<ComponentStatus, Impact>;

/** The status of the whole page, by its components and by the impact of open incidents. */
const overallOf = (statuses: readonly ComponentStatus[], open: readonly StatuspageIncident[]): StatuspageStatus => {
  const isDown = statuses.length > 0 && statuses.every((status) => status === "major_outage");
  const impacts: Impact[] = [isDown ? "critical" : INDICATORS[worstOf(statuses)], ...open.map(({ impact }) => impact)];
  const indicator = IMPACTS.findLast((impact) => impacts.includes(impact)) ?? "none";
  return { indicator, description: WORDS[indicator] };
};

/** Everything that the documents of a page consist of. */
const readAll = async (store: Store, page: PageRow, isDefault: boolean) => {
  const components = await readComponents(store, page);
  const measured = await readStatuses(store, page.teamId, components);
  const { statuses, present } = await readIncidents(store, page);
  const { list, byRow } = presentComponents(
    page,
    components,
    ({ row }) => statuses.get(row.id) ?? measured.get(row.id) ?? "operational",
  );
  const slug = isDefault ? undefined : page.slug;
  const url = (await addressOf(store, { id: page.id, slug })) || pathOf(slug);
  const named = (await addressOf(store, page)) || pathOf(page.slug);
  const presented = { components: byRow, url, named };
  const incidents = present(presented);
  const maintenances = await readMaintenances(store, page, components, presented);
  const times = [page.updatedAt, ...components.map(({ row }) => row.updatedAt)];
  const changes = [...times.map(isoTime), ...[...incidents, ...maintenances].map(({ updated_at }) => updated_at)];
  const open = incidents.filter(({ status }) => status !== "resolved");
  const shown = [...byRow.values()].map(({ status }) => status);
  return {
    page: {
      ...{ id: page.key, name: page.title || "Status", url, time_zone: page.zone === "UTC" ? "Etc/UTC" : page.zone },
      updated_at: changes.toSorted().at(-1) ?? isoTime(page.updatedAt),
    },
    ...{ components: list, byRow, incidents, open, maintenances, status: overallOf(shown, open) },
  };
};
type All = Awaited<ReturnType<typeof readAll>>;

/** The documents of a page, by the end of their paths. */
const DOCUMENTS: Readonly<Record<string, (all: All) => object>> = {
  summary: ({ page, components, open, maintenances, status }) => ({
    ...{ page, components, incidents: open },
    ...{ scheduled_maintenances: maintenances.filter((one) => one.status !== "completed"), status },
  }),
  status: ({ page, status }) => ({ page, status }),
  components: ({ page, components }) => ({ page, components }),
  incidents: ({ page, incidents }) => ({ page, incidents }),
  "incidents/unresolved": ({ page, open }) => ({ page, incidents: open }),
  "scheduled-maintenances": ({ page, maintenances }) => ({ page, scheduled_maintenances: maintenances }),
  "scheduled-maintenances/upcoming": ({ page, maintenances }) => ({
    page,
    scheduled_maintenances: maintenances.filter(({ status }) => status === "scheduled"),
  }),
  "scheduled-maintenances/active": ({ page, maintenances }) => ({
    page,
    scheduled_maintenances: maintenances.filter(({ status }) => status === "in_progress"),
  }),
};

/** The names of the documents. */
export const STATUSPAGE_DOCUMENTS = Object.keys(DOCUMENTS);

// The same for every caller and without cookies, so pages on other origins may read it.
const HEADERS = { "content-type": "application/json; charset=utf-8", "access-control-allow-origin": "*" };

const ADDRESS = /^\/status(?:\/([^/]+))?\/api\/v2\/([a-z/-]+)\.json$/;

/** The page and document of an address; null for other addresses. */
export const statuspageAddress = (path: string): { slug: string | undefined; name: string } | null => {
  const [match, sent, name = ""] = ADDRESS.exec(path) ?? [];
  if (!match || !Object.hasOwn(DOCUMENTS, name)) return null;
  try {
    return { slug: sent === undefined ? undefined : decodeURIComponent(sent), name };
  } catch {
    return null;
  }
};

/** Everything in the documents of a page, kept as pages are. */
const readCached = (store: Store, slug: string | undefined) =>
  cachePage(
    store,
    // No slug has a space.
    `v2 ${slug ?? ""}`,
    async () => {
      const page = await findPublished(store, slug);
      if (!page || page.updatedAt === null) return null;
      const all = await readAll(store, { ...page, updatedAt: page.updatedAt }, slug === undefined);
      return {
        all,
        answers: new Map<string, CachedResponse>(),
        bytes: 20 * JSON.stringify({ ...all, byRow: null }).length,
      };
    },
    ({ bytes }) => bytes,
  );

/** A page in Statuspage's form, also a private one: for its subscribers, and for visitors who are admitted to it; null without one. */
export const readStatuspage = async (store: Store, slug: string | undefined): Promise<All | null> =>
  (await readCached(store, slug))?.all ?? null;

/** A document of the page that a visitor is admitted to, in Statuspage's form and ready to be sent; null for other names. */
export const statuspageDocument = async (
  store: Store,
  { slug }: Pass,
  name: string,
): Promise<CachedResponse | null> => {
  const write = DOCUMENTS[name];
  if (!write) return null;
  const cached = await readCached(store, slug);
  if (!cached) return null;
  const answer = cached.answers.get(name) ?? createCachedResponse(JSON.stringify(write(cached.all)), HEADERS);
  cached.answers.set(name, answer);
  return answer;
};
