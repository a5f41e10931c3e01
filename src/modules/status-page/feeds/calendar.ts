import type { Deps } from "../../../core/deps";
import { type CachedResponse, createCachedResponse } from "../../../server/http-encoding";
import type { Language } from "../../../shared/language";
import { DAY } from "../../../shared/limits";
import type { Pass } from "../access/gate";
import { cachePage } from "../cache";
import { pathOf } from "../pages/address";
import { findPublished } from "../pages/find";
import { type Published, publishedPage } from "../publish";
import { createNaming, type Row, readPlanned } from "../sections/maintenance";
import { withTagged } from "../tagged";

type Store = Parameters<typeof publishedPage>[0];

/** The span of a calendar, and its events: of one window, and in all. */
const [AHEAD, MAX_OF_WINDOW, MAX_EVENTS] = [366 * DAY, 20, 500];
/** Octets of a line, without its end (RFC 5545, 3.1). */
const LINE = 75;

const WORDS: Record<Language, { calendar: (page: string) => string; maintenance: string; affects: string }> = {
  "en-US": { calendar: (page) => `${page}: maintenance`, maintenance: "Maintenance", affects: "Affects: " },
  "zh-CN": { calendar: (page) => `${page} 维护计划`, maintenance: "计划维护", affects: "影响范围：" },
};
const TITLES: Record<Language, string> = { "en-US": "Service status", "zh-CN": "服务状态" };

/** A text as a value: separators are escaped, and other control characters removed. */
const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, "")
    .replace(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll("\n", "\\n");

/** A content line in parts of at most 75 octets. No part ends within a character. */
const foldLine = (line: string): string => {
  let [folded, octets] = ["", 0];
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LINE) [folded, octets] = [`${folded}\r\n `, 1];
    folded += character;
    octets += size;
  }
  return folded;
};

const utc = (time: number): string => new Date(time).toISOString().replace(/[-:]|\.\d+/g, "");

type Options = { language: Language; url: string; now: number; data: Published["data"] };

/**
 * Maintenance as a calendar (RFC 5545). Each occurrence is an event in UTC with an identifier that stays the same: a recurrence
 * rule would need the clock changes of its zone.
 */
const writeCalendar = (occurrences: readonly Row[], { language, url, now, data }: Options): string => {
  const words = WORDS[language];
  const namesOf = createNaming(data);
  const event = (one: Row): string[] => [
    "BEGIN:VEVENT",
    `UID:maintenance-${one.windowId}-${utc(one.scheduled)}@${URL.parse(url)?.hostname || "wakeful"}`,
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(one.from)}`,
    `DTEND:${utc(one.to)}`,
    `SUMMARY:${escapeText(one.title.trim() || words.maintenance)}`,
    `DESCRIPTION:${escapeText(words.affects + namesOf(one).join(language === "zh-CN" ? "、" : ", "))}`,
    ...(URL.canParse(url) ? [`URL:${url}`] : []),
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Wakeful//Status page//EN",
    "METHOD:PUBLISH",
    `X-WR-CALNAME:${escapeText(words.calendar(data.title.trim() || TITLES[language]))}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    ...occurrences.slice(0, MAX_EVENTS).flatMap(event),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join("");
};

/** The occurrences of a year that are about something on a page. */
const readYear = async (store: Store, slug: string | undefined): Promise<Row[]> => {
  const page = await findPublished(store, slug);
  if (!page) return [];
  const now = store.clock.now();
  return readPlanned(store, await withTagged(store, page), { from: now, to: now + AHEAD, most: MAX_OF_WINDOW });
};

/**
 * The maintenance calendar of the page that a visitor is admitted to, in a language. It is kept as long as its other answers; null
 * while the page is not published.
 */
export const publishedCalendar = async (
  store: Store & Pick<Deps, "clock">,
  pass: Pass,
  languageFor: (page: Published) => Language,
): Promise<CachedResponse | null> => {
  const page = await publishedPage(store, pass);
  if (!page?.data.published) return null;
  const language = languageFor(page);
  const { slug } = pass;
  const made = await cachePage(
    store,
    `calendar ${language} ${slug ?? ""}`,
    async () => {
      const url = page.address || pathOf(slug);
      const text = writeCalendar(await readYear(store, slug), {
        ...{ language, url, data: page.data },
        now: store.clock.now(),
      });
      const headers = { "content-type": "text/calendar; charset=utf-8", vary: "accept-encoding, accept-language" };
      return { bytes: 4 * text.length + 4096, response: createCachedResponse(text, headers) };
    },
    ({ bytes }) => bytes,
  );
  return made?.response ?? null;
};
