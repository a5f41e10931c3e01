/**
 * healthchecks: its list of checks as the management API answers it, `GET /api/v3/checks/`. Read with a key, each check also has
 * its changes of state as `flips`, from `GET /api/v3/checks/UUID/flips/`.
 */
import { LIMITS, SECOND } from "../../../shared/limits";
import { isSlug } from "../../../shared/monitor-kinds/heartbeat";
import { TAG_LIMITS, tagKey } from "../../../shared/tags";
import { readJson, startText } from "./read-text";
import type { HistoryPart, Item, Note, Source, Upload } from "./source";
import { unreadable } from "./sqlite";
import { boundedItems, clean, type Fields, flagIn, note, numberIn, recordOf, textOf, within } from "./text";

const NAME = "healthchecks";
/** Checks whose changes of state are read, each with a request. */
const MAX_HISTORIES = 400;
/** Seconds. */
const LONGEST = 366 * 86_400;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const FILTERS = ["filter_subject", "filter_body", "filter_http_body", "filter_default_fail"];

/** The schedule of a check. One of systemd's kind, which no cron expression can say, arrives paused. */
const scheduleOf = (check: Fields): { schedule: Record<string, unknown>; notes: Note[] } => {
  const cron = textOf(check, "schedule").trim();
  if (cron === "") return { schedule: { every: within(numberIn(check, "timeout") ?? 86_400, 60, LONGEST) }, notes: [] };
  if (/^@\w+$|^\S+(\s+\S+){4}$/.test(cron)) return { schedule: { cron, tz: textOf(check, "tz") || "UTC" }, notes: [] };
  return { schedule: { every: 86_400 }, notes: [note("expression_unsupported", cron)] };
};

const uuidOf = (check: Fields): string => UUID.exec(textOf(check, "uuid") || textOf(check, "ping_url"))?.[0] ?? "";

const itemOf = (check: Fields, id: number): Item => {
  const uuid = uuidOf(check);
  const name = clean(check.name, LIMITS.monitorName) || clean(check.slug, LIMITS.monitorName) || uuid;
  const { schedule, notes } = scheduleOf(check);
  const slug = textOf(check, "slug");
  const names = textOf(check, "tags")
    .split(/\s+/)
    .map((tag) => clean(tag, TAG_LIMITS.name).replaceAll(":", "-"));
  const tags = [...new Map(names.filter(Boolean).map((tag) => [tagKey(tag), { name: tag }])).values()];
  return {
    part: "monitors",
    externalId: uuid,
    name,
    kind: "check",
    content: {
      ...{ id, name, kind: "heartbeat", ping_token: uuid },
      config: {
        ...schedule,
        grace: within(numberIn(check, "grace") ?? 3600, 1, LONGEST),
        ...(textOf(check, "methods").trim().toUpperCase() === "POST" && { post_only: true }),
        ...(isSlug(slug) && { slug }),
      },
      active: textOf(check, "status") !== "paused",
      tags: tags.slice(0, TAG_LIMITS.perTarget),
    },
    notes: [
      ...notes,
      ...(tags.length > TAG_LIMITS.perTarget ? [note("tags_left_out")] : []),
      ...(FILTERS.some((filter) => flagIn(check, filter)) ? [note("field_left_out", "filters of the content")] : []),
      ...(slug === "" || isSlug(slug) ? [] : [note("field_left_out", `slug ${slug}`)]),
    ],
  };
};

/** The changes of state of a check from the oldest on. */
const flipsOf = (check: Fields) =>
  (Array.isArray(check.flips) ? check.flips : [])
    .map(recordOf)
    .flatMap((flip) => {
      const at = Date.parse(textOf(flip, "timestamp"));
      return Number.isFinite(at) ? [{ at, isUp: flagIn(flip, "up") }] : [];
    })
    .toSorted((one, other) => one.at - other.at);

/**
 * The outages of a check since its first change of state. A check that is paused or resumed is said to be down, too: one
 * change to down is an outage, and several in a row are not.
 */
const historyOf = (check: Fields, id: number, readAt: number): Required<Pick<HistoryPart, "outages" | "spans">> => {
  const flips = flipsOf(check);
  const [first, last] = [flips[0], flips.at(-1)];
  const isPaused = textOf(check, "status") === "paused" && last?.isUp === false;
  const until = isPaused ? last.at : readAt;
  const outages = flips.flatMap(({ at, isUp }, index) => {
    const [before, next] = [flips[index - 1], flips[index + 1]];
    const isOutage = !isUp && before?.isUp !== false && next?.isUp !== false && at < until;
    return isOutage ? [{ id, from: at, to: next?.at ?? null, text: "" }] : [];
  });
  return { outages, spans: first && first.at < until ? [{ id, from: first.at, until }] : [] };
};

/** @throws {AppError} import_unreadable */
const readFile = async (upload: Upload): Promise<{ checks: Fields[]; readAt: number | null }> => {
  const document = recordOf(await readJson(upload));
  const checks = (Array.isArray(document.checks) ? document.checks : []).map(recordOf);
  return { checks, readAt: numberIn(document, "read_at") };
};

export const healthchecks: Source = {
  name: NAME,
  byKey: {
    origin: "https://healthchecks.io",
    headers: (key) => ({ "x-api-key": key }),
    read: async (get, { from, to }) => {
      const { checks, ...document } = await get("/api/v3/checks/");
      const known = (Array.isArray(checks) ? checks : []).map(recordOf);
      const withFlips: Fields[] = [];
      for (const [index, check] of known.entries()) {
        const uuid = uuidOf(check);
        const isRead = uuid !== "" && index < MAX_HISTORIES;
        const path = `/api/v3/checks/${uuid}/flips/?start=${Math.ceil(from / SECOND)}`;
        withFlips.push(isRead ? { ...check, flips: (await get(path)).flips } : check);
      }
      return { checks: withFlips, ...document, read_at: to };
    },
  },
  recognise: (_upload, start) => /^\s*\{\s*"checks"\s*:\s*\[/.test(startText(start)),
  read: async (upload) => {
    const { checks, readAt } = await readFile(upload);
    const items = checks.map((check, index) => itemOf(check, index + 1));
    if (items.some(({ externalId }) => externalId === ""))
      throw unreadable("it is the answer to a read-only key, which has no ping URLs: use a key that may write");
    const starts = checks.flatMap((check) => historyOf(check, 0, readAt ?? 0).spans.map(({ from }) => from));
    return {
      source: NAME,
      version: "",
      sourceId: "",
      items: boundedItems(items),
      rules: {},
      history: starts.length > 0 ? { from: starts.reduce((one, other) => Math.min(one, other)) } : null,
    };
  },
  readHistory: async function* (upload, ids) {
    const { checks, readAt } = await readFile(upload);
    for (const [index, check] of checks.entries())
      if (ids.has(index + 1)) yield historyOf(check, index + 1, readAt ?? 0);
  },
};
