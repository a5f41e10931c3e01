import { isoTime } from "../../lib/time";
import { dateTimeFormat, durationIn, type Language } from "../../shared/language";
import { SECOND } from "../../shared/limits";
import type { Scheduled } from "../alerting/maintenance/running";
import type { PublicIncident } from "./incidents/present";
import { pathOf } from "./pages/address";
import type { Published } from "./publish";
import type { PublicOutage } from "./sections/outages";
import { MAIL_WORDS } from "./subscribers/texts";

/** Entries of a feed. */
const MAX_ENTRIES = 50;

type Words = {
  title: string;
  /** The title of an entry while the outage goes on, and after it has ended. */
  down: (name: string) => string;
  ended: (name: string) => string;
  since: (time: string) => string;
  from: (start: string, end: string, duration: string) => string;
  times: (count: number) => string;
};

const WORDS: Record<Language, Words> = {
  "en-US": {
    title: "Service status",
    down: (name) => `${name} is down`,
    ended: (name) => `${name} was down`,
    since: (time) => `Since ${time}.`,
    from: (start, end, duration) => `From ${start} to ${end}, for ${duration}.`,
    times: (count) => `Down ${count} times in this period.`,
  },
  "zh-CN": {
    title: "服务状态",
    down: (name) => `${name} 出现故障`,
    ended: (name) => `${name} 已恢复`,
    since: (time) => `${time} 起。`,
    from: (start, end, duration) => `${start} 至 ${end}，共 ${duration}。`,
    times: (count) => `其间共故障 ${count} 次。`,
  },
};

/** A text in XML, without characters that XML 1.0 does not allow. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A UUID (RFC 9562, version 8) of a text: the same for the same text, on every instance and under every address. */
const uuidOf = (text: string): string => {
  const hex = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const timeIn = (language: Language, time: string, timeStyle: "short" | "medium" = "short"): string =>
  `${dateTimeFormat(language, { dateStyle: "medium", timeStyle, timeZone: "UTC" }).format(Date.parse(time))} UTC`;

/** The span of an outage. Its ends have seconds where they are in the same minute. */
const spanIn = (language: Language, start: string, end: string, seconds: number): string => {
  const style = timeIn(language, start) === timeIn(language, end) ? "medium" : "short";
  const duration = durationIn(language, seconds * SECOND);
  return WORDS[language].from(timeIn(language, start, style), timeIn(language, end, style), duration);
};

export type FeedFormat = "atom" | "rss";

type Shown = Pick<Published["data"], "title" | "incidents" | "outages"> & { maintenance: readonly FeedMaintenance[] };

type Options = {
  now: number;
  format: FeedFormat;
  language: Language;
  slug: string;
  userId: number;
  /** When the page was last saved, in ms since 1970. */
  savedAt: number;
  /** PUBLIC_URL, which distinguishes feeds of several installations. */
  publicUrl: string;
  /** The address of the page, without a slash at the end; empty where none is known: links are relative then. */
  address: string;
};

/** An entry of a feed, in either format. */
type Entry = {
  id: string;
  title: string;
  published: string;
  updated: string;
  link: string;
  text: string;
  isHtml: boolean;
};

const outageEntry = (outage: PublicOutage, language: Language, page: string): Entry => {
  const words = WORDS[language];
  const { id, target_type, target_id, name, started_at, ended_at, changed_at, count, seconds } = outage;
  const text = [
    ended_at === null ? words.since(timeIn(language, started_at)) : spanIn(language, started_at, ended_at, seconds),
    ...(count > 1 ? [words.times(count)] : []),
  ].join(language === "zh-CN" ? "" : " ");
  return {
    id: uuidOf(`outage ${target_type} ${target_id} ${id} ${started_at}`),
    title: (ended_at === null ? words.down : words.ended)(name),
    ...{ published: started_at, updated: changed_at, link: page, text, isHtml: false },
  };
};

/** Maintenance, and the affected services and servers as the page names them. */
export type FeedMaintenance = Pick<
  Scheduled,
  "windowId" | "scheduled" | "title" | "from" | "to" | "createdAt" | "updatedAt"
> & { affected: readonly string[] };

/** Maintenance in its stage at a time, worded as in mails. It keeps its id, and its date changes with its stage and with changes of it. */
const maintenanceEntry = (
  one: FeedMaintenance,
  language: Language,
  { page, now }: { page: string; now: number },
): Entry => {
  const { windowId, scheduled, title, from, to, createdAt, updatedAt, affected } = one;
  const words = MAIL_WORDS[language];
  const [stage, reachedAt] =
    to <= now
      ? (["ended", to] as const)
      : from <= now
        ? (["started", from] as const)
        : (["scheduled", createdAt] as const);
  const text = [
    spanIn(language, isoTime(from), isoTime(to), (to - from) / SECOND),
    ...(affected.length > 0 ? [`${words.affects}${affected.join(words.separator)}`] : []),
  ].join(language === "zh-CN" ? "" : " ");
  return {
    id: uuidOf(`maintenance ${windowId} ${scheduled}`),
    title: [words.stage[stage], ...(title.trim() ? [title.trim()] : [])].join(words.colon),
    published: isoTime(createdAt),
    updated: isoTime(stage === "ended" ? reachedAt : Math.max(reachedAt, updatedAt)),
    ...{ link: page, text, isHtml: false },
  };
};

/** An incident with its latest update. It keeps its id, and its date changes with each update. */
const incidentEntry = (incident: PublicIncident, language: Language, page: string): Entry => {
  const { key, title, status, started_at, updated_at, updates } = incident;
  return {
    id: uuidOf(`incident ${key}`),
    title: `${MAIL_WORDS[language].incident[status]}: ${title}`,
    ...{ published: started_at, updated: updated_at, link: `${page}/incidents/${key}` },
    ...{ text: updates[0]?.html ?? "", isHtml: true },
  };
};

const atomEntry = ({ id, title, published, updated, link, text, isHtml }: Entry): string => `<entry>
<id>urn:uuid:${id}</id>
<title>${escapeXml(title)}</title>
<published>${published}</published>
<updated>${updated}</updated>
<link rel="alternate" type="text/html" href="${escapeXml(link)}"/>
<content type="${isHtml ? "html" : "text"}">${escapeXml(text)}</content>
</entry>`;

/** Readers of RSS take a description as HTML. A reader shows an entry again when its guid changes, so it has the last update. */
const rssItem = ({ id, title, updated, link, text, isHtml }: Entry): string => `<item>
<guid isPermaLink="false">urn:uuid:${uuidOf(`${id} ${updated}`)}</guid>
<title>${escapeXml(title)}</title>
<pubDate>${new Date(updated).toUTCString()}</pubDate>
<link>${escapeXml(link)}</link>
<description>${escapeXml(isHtml ? text : escapeXml(text))}</description>
</item>`;

/**
 * The incidents, outages and maintenance of a published page as an Atom feed (RFC 4287) or as RSS 2.0, the latest change first, at most 50. An
 * entry of Atom keeps its id, and its date changes when the incident has an update, the outage ends or goes on, or the maintenance
 * begins, ends or is changed.
 */
export const writeFeed = (
  { title, incidents, outages, maintenance }: Shown,
  { now, format, language, slug, userId, savedAt, publicUrl, address }: Options,
): string => {
  const name = escapeXml(title.trim() || WORDS[language].title);
  // Relative to the address of the feed.
  const page = address || `../..${pathOf(slug)}`;
  const entries = [
    ...incidents.map((incident) => incidentEntry(incident, language, page)),
    ...outages.map((outage) => outageEntry(outage, language, page)),
    ...maintenance.map((one) => maintenanceEntry(one, language, { page, now })),
  ]
    .toSorted((one, other) => (one.updated < other.updated ? 1 : -1))
    .slice(0, MAX_ENTRIES);
  const [updated = ""] = [isoTime(savedAt), ...entries.map((entry) => entry.updated)].toSorted().reverse();
  const self = `${page}/feed.${format === "atom" ? "xml" : "rss"}?lang=${language}`;
  const head = '<?xml version="1.0" encoding="utf-8"?>';
  if (format === "rss")
    return `${head}
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${name}</title>
<link>${escapeXml(page)}</link>
<description>${name}</description>
<language>${language}</language>
<lastBuildDate>${new Date(updated).toUTCString()}</lastBuildDate>
<atom:link rel="self" type="application/rss+xml" href="${escapeXml(self)}"/>
${entries.map(rssItem).join("\n")}
</channel></rss>
`;
  return `${head}
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>urn:uuid:${uuidOf(`status page ${publicUrl} ${userId} ${slug}`)}</id>
<title>${name}</title>
<updated>${updated}</updated>
<author><name>${name}</name></author>
<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(page)}"/>
${entries.map(atomEntry).join("\n")}
</feed>
`;
};
