import type { Deps } from "../../core/deps";
import { createExpiringMap } from "../../lib/expiring-map";
import { isoTime } from "../../lib/time";
import { presentUnknown } from "../../server/answers";
import { type CachedResponse, createCachedResponse } from "../../server/http-encoding";
import type { Language } from "../../shared/language";
import { DAY, HOUR } from "../../shared/limits";
import { type ComponentStatus, KEY_PATTERN } from "../../shared/status/components";
import type { Overall } from "../../shared/status-page";
import type { Pass } from "./access/gate";
import { cachePage } from "./cache";
import { cleanCss } from "./css";
import { type FeedFormat, type FeedMaintenance, writeFeed } from "./feed";
import { cleanGroups } from "./groups";
import { readHistory } from "./history/history";
import { firstDayOf } from "./history/spans";
import type { PublicIncident } from "./incidents/present";
import { addressOf, hubAddress } from "./pages/address";
import { findPublished, languageOf, type StatusPage } from "./pages/find";
import { agentsSection } from "./sections/agents";
import { componentsSection } from "./sections/components";
import {
  incidentsSection,
  type PublicIncidentRow,
  readMarks,
  readPublicIncident,
  statedBy,
} from "./sections/incidents";
import { createNaming, maintenanceSection, readPlanned } from "./sections/maintenance";
import { monitorsSection } from "./sections/monitors";
import { outagesSection } from "./sections/outages";
import { type Health, presentUnknownSince, type Section } from "./sections/section";
import { withTagged } from "./tagged";

type Store = Pick<Deps, "db" | "clock" | "config" | "watching">;

/** The sections of a page, in the order of the answer's fields. A new section is one file, a line here and one on the page. */
export const sections = [
  incidentsSection,
  monitorsSection,
  agentsSection,
  componentsSection,
  maintenanceSection,
  outagesSection,
] as const;

/** A section for code that handles all sections alike. */
type AnySection = { key: string; present(...args: never[]): unknown };
/** The fields of some sections: a list of the items of each. */
type Shown<S extends AnySection> = { [One in S as One["key"]]: ReturnType<One["present"]>[] };

type Incidents = readonly Pick<PublicIncident, "impact" | "resolved_at">[];

/**
 * The overall status of a page: the worst of its items and open incidents, as in Statuspage's format. Null while no item has a
 * state, unless an incident has a large impact.
 */
const overallOf = (health: readonly Health[], incidents: Incidents): Overall | null => {
  const has = (...states: Health[]) => states.some((one) => health.includes(one));
  const isOpen = (impact: PublicIncident["impact"]) =>
    incidents.some((one) => one.resolved_at === null && one.impact === impact);
  if (isOpen("critical") || (has("bad") && !has("good", "slow", "maintenance", "unknown"))) return "outage";
  if (has("bad") || isOpen("major")) return "partial";
  return has("slow") ? "degraded" : has("maintenance") ? "maintenance" : has("good") ? "operational" : null;
};

/** Bytes of sanitized stylesheets that are cached: sanitizing 64 KiB takes tens of milliseconds. */
const MAX_CSS = 2 * 1024 * 1024;
const sanitized = createExpiringMap<string, string>(MAX_CSS);

const readCss = (css: string, now: number): string => {
  const cached = sanitized.get(css, now);
  if (cached !== undefined) return cached;
  const cleaned = cleanCss(css);
  sanitized.set(css, cleaned, now, { lifetime: HOUR, weight: css.length + cleaned.length });
  return cleaned;
};

/** What incidents say of items, by section and id. */
type Said = { stated: ReturnType<typeof statedBy>; marks: Awaited<ReturnType<typeof readMarks>> };

/** An item of a section with the state that an open incident gives it, which hides the measured one, and its incidents. */
const withIncidents = (
  { key }: AnySection,
  item: unknown,
  { stated, marks }: Said,
  measured: ComponentStatus | undefined,
): unknown => {
  const { id, key: own, since } = item as { id?: number; key?: string; since?: string | null };
  const place = `${key} ${id ?? own}`;
  const [said, incidents] = [stated.get(place), marks.get(place)];
  if (!said && !incidents) return item;
  const status = said?.status;
  return {
    ...(item as object),
    ...(status && { component_status: status }),
    ...(said && {
      since:
        status === "operational"
          ? null
          : ([since, isoTime(said.since)].filter((one) => one != null).toSorted()[0] ?? null),
    }),
    ...(status && measured && measured !== status && { measured_status: measured }),
    ...(incidents && { incidents }),
  };
};

/**
 * The public data of a page, with a field for each of the sections. `forOwner` adds the measured states that incidents hide,
 * which visitors do not see.
 */
export const readData = async <S extends AnySection>(
  store: Store,
  saved: StatusPage,
  parts: readonly S[],
  { forOwner = false } = {},
) => {
  const page = await withTagged(store, saved);
  const now = store.clock.now();
  const itemsByKey: Record<string, unknown[]> = {};
  const health: Health[] = [];
  let updatedAt = page.updatedAt ?? 0;
  const marks =
    page.updatedAt === null ? new Map() : await readMarks(store, page, firstDayOf(page.historyDays, now) * DAY);
  let stated: ReturnType<typeof statedBy> = new Map();
  // Rows and items have the types of their own section, which a list of all sections cannot express.
  for (const part of parts as unknown as Section<string, unknown, unknown>[]) {
    const rows = await part.read(store, page);
    if ((part as unknown) === incidentsSection) stated = statedBy(rows as PublicIncidentRow[]);
    const items = rows.map((row) => {
      const item = part.present(row, page, now);
      return withIncidents(part, item, { stated, marks }, forOwner ? part.measured?.(item, row) : undefined);
    });
    itemsByKey[part.key] = items;
    if (part.health) health.push(...items.map(part.health));
    for (const row of rows) updatedAt = Math.max(updatedAt, part.changedAt(row) ?? 0);
  }
  const idsOf = (key: string) => ((itemsByKey[key] ?? []) as { id: number }[]).map(({ id }) => id);
  return {
    /** Whether its owner has saved it: before, it is empty. */
    published: page.updatedAt !== null,
    title: page.title,
    description: page.description,
    logoUrl: page.logoUrl,
    customCss: readCss(page.customCss, now),
    theme: page.theme,
    overall: overallOf(health, (itemsByKey[incidentsSection.key] ?? []) as Incidents),
    unknown: presentUnknownSince(presentUnknown(store.watching.unknown())),
    /** When anything on the page last changed; null before the first change. */
    updated_at: updatedAt > 0 ? isoTime(updatedAt) : null,
    /** Days of the bars and of the history. */
    history_days: page.historyDays,
    groups: cleanGroups(page.groups, { monitors: idsOf("monitors"), agents: idsOf("agents") }),
    ...(itemsByKey as Shown<S>),
  };
};

export type StatusData = Awaited<ReturnType<typeof readData<(typeof sections)[number]>>>;

/** The keys of incidents in addresses. */
const INCIDENT_KEY = new RegExp(KEY_PATTERN);

/** Memory that a page takes: its data, and its answers plain and compressed. Documents and feeds are counted where they are kept. */
const bytesOf = (data: StatusData, json: string): number => 6 * json.length + 6 * data.customCss.length + 65_536;

/** Planned maintenance that ended at most so long ago, or begins so soon, is in the feeds. */
const [BEHIND, AHEAD] = [14 * DAY, 30 * DAY];

/** The maintenance that subscribers get mails about, for the feeds. */
const readFeedMaintenance = async (store: Store, page: StatusPage, data: StatusData): Promise<FeedMaintenance[]> => {
  const now = store.clock.now();
  // Planned maintenance takes place once.
  const span = { from: now - BEHIND, to: now + AHEAD, most: 1 };
  const found = await readPlanned(store, await withTagged(store, page), span);
  const namesOf = createNaming(data);
  return found.filter(({ planned }) => planned).map((one) => ({ ...one, affected: namesOf(one) }));
};

type Feeds = { page: StatusPage; data: StatusData; version: string; address: string };

/** The feeds of a page, each written when it is first requested. Null before the page is saved. */
const createFeeds = (store: Store, { page, data, version, address }: Feeds) => {
  const { slug, userId, updatedAt: savedAt } = page;
  if (savedAt === null) return null;
  const { publicUrl } = store.config;
  const write = async (language: Language, format: FeedFormat) => {
    const maintenance = await readFeedMaintenance(store, page, data);
    const options = { now: store.clock.now(), format, language, slug, userId, savedAt, publicUrl, address };
    const text = writeFeed({ ...data, maintenance }, options);
    const type = `application/${format}+xml; charset=utf-8`;
    const headers = { "content-type": type, vary: "accept-encoding, accept-language" };
    return { bytes: 4 * text.length + 4096, response: createCachedResponse(text, headers) };
  };
  return async (language: Language, format: FeedFormat): Promise<CachedResponse | null> => {
    const key = `feed ${format} ${language} ${slug} ${version}`;
    const made = await cachePage(
      store,
      key,
      () => write(language, format),
      ({ bytes }) => bytes,
    );
    return made?.response ?? null;
  };
};

/** An incident of a page with all its updates; null where the page does not show it. */
const findIncident = async (store: Store, page: StatusPage, key: string): Promise<PublicIncident | null> => {
  if (!INCIDENT_KEY.test(key)) return null;
  const make = async () => {
    const incident = await readPublicIncident(store, page, key);
    return incident && { incident };
  };
  // A slug has no space, so that this is the key of no page.
  const made = await cachePage(store, `${page.slug} ${key}`, make, (one) => 4 * JSON.stringify(one).length);
  return made?.incident ?? null;
};

/** A part of the history of a page; null outside of it. */
const findHistory = async (store: Store, page: StatusPage, asked: { month?: string; day?: string }) => {
  const { month, day } = asked;
  // Others are no dates, and would fill the cache.
  if ([month, day].some((one) => one !== undefined && !/^\d{4}-\d\d(-\d\d)?$/.test(one))) return null;
  const key = `${page.slug} history ${day ?? month ?? ""}`;
  return cachePage(
    store,
    key,
    () => readHistory(store, page, asked),
    (one) => 4 * JSON.stringify(one).length,
  );
};

/** The published page that a visitor is admitted to, ready to be sent; null where it was deleted. */
export const publishedPage = async (store: Store, { slug }: Pass) => {
  const cachedEntry = await cachePage(
    store,
    slug ?? "",
    async () => {
      const page = await findPublished(store, slug);
      if (!page) return null;
      const data = await readData(store, page, sections);
      const json = JSON.stringify({ success: true, data });
      const language = await languageOf(store, page);
      const base = await hubAddress(store);
      const address = await addressOf(store, { id: page.id, slug });
      // Equal for equal data.
      const version = Bun.hash(`${base} ${address}`, BigInt(Bun.hash(json))).toString(36);
      return {
        bytes: bytesOf(data, json),
        published: {
          data,
          key: page.key,
          noindex: page.noindex || page.access !== "public",
          /** For visitors who ask for no language. */
          language,
          /** The address of the hub without a slash at the end; empty where none is known. */
          base,
          /** The address of the page without a slash at the end; empty where none is known. */
          address,
          version,
          json: createCachedResponse(json, { "content-type": "application/json" }),
          css: createCachedResponse(data.customCss, { "content-type": "text/css; charset=utf-8" }),
          feed: createFeeds(store, { page, data, version, address: await addressOf(store, page) }),
          incident: (key: string) => findIncident(store, page, key),
          history: (asked: { month?: string; day?: string }) => findHistory(store, page, asked),
        },
      };
    },
    ({ bytes }) => bytes,
  );
  return cachedEntry?.published ?? null;
};

export type Published = NonNullable<Awaited<ReturnType<typeof publishedPage>>>;
