/** healthchecks: its list of checks as the management API answers it, `GET /api/v3/checks/`. */
import { LIMITS } from "../../../shared/limits";
import { isSlug } from "../../../shared/monitor-kinds/heartbeat";
import { TAG_LIMITS, tagKey } from "../../../shared/tags";
import { readJson, startText } from "./read-text";
import type { Item, Note, Source } from "./source";
import { unreadable } from "./sqlite";
import { boundedItems, clean, type Fields, flagIn, note, numberIn, recordOf, textOf, within } from "./text";

const NAME = "healthchecks";
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

const itemOf = (check: Fields, id: number): Item => {
  const uuid = UUID.exec(textOf(check, "uuid") || textOf(check, "ping_url"))?.[0] ?? "";
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

export const healthchecks: Source = {
  name: NAME,
  byKey: {
    origin: "https://healthchecks.io",
    headers: (key) => ({ "x-api-key": key }),
    read: (get) => get("/api/v3/checks/"),
  },
  recognise: (_upload, start) => /^\s*\{\s*"checks"\s*:\s*\[/.test(startText(start)),
  read: async (upload) => {
    const document = recordOf(await readJson(upload));
    const checks = (Array.isArray(document.checks) ? document.checks : []).map(recordOf);
    const items = checks.map((check, index) => itemOf(check, index + 1));
    if (items.some(({ externalId }) => externalId === ""))
      throw unreadable("it is the answer to a read-only key, which has no ping URLs: use a key that may write");
    return {
      source: NAME,
      version: "",
      sourceId: "",
      items: boundedItems(items),
      rules: {},
      history: null,
    };
  },
};
