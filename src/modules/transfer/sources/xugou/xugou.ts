/** xugou: the text that `wrangler d1 export` writes, or the SQLite file of a local database. */
import { hashSecret } from "../../../../core/secrets";
import { DAY } from "../../../../shared/limits";
import { startText } from "../read-text";
import { serverItem } from "../servers/item";
import type { Draft, HistorySum, Item, Source } from "../source";
import { isSqlExport } from "../sql-text";
import { hasTables } from "../tables";
import { boundedItems, clean, type Fields, note, numberIn, textOf } from "../text";
import { channelItems } from "./channels";
import { monitorItems } from "./monitors";
import { pageItems } from "./pages";
import { readRows, type XugouRows } from "./rows";
import { rulesOf } from "./rules";

const NAME = "xugou";

/** Tables that a database of xugou has, and hardly any other. */
const MARKS = { monitors: ["expected_status"], monitor_daily_stats: ["monitor_id", "date", "up_checks"] };
const TEXT_MARKS = ["agent_metrics_24h", "monitor_daily_stats", "monitor_status_history_24h", "status_page_config"];

/** A day of UTC; null for anything else. */
const dayOf = (row: Fields): number | null => {
  const text = textOf(row, "date");
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(at) ? Math.floor(at / DAY) : null;
};

const amount = (row: Fields, name: string): number => Math.min(1e9, Math.max(0, Math.round(numberIn(row, name) ?? 0)));

/** The sum of a day. Response times of 0 stand for none. */
const sumOf = (row: Fields): HistorySum | null => {
  const [id, bucket] = [numberIn(row, "monitor_id"), dayOf(row)];
  if (id === null || bucket === null) return null;
  const [up, down, average] = [amount(row, "up_checks"), amount(row, "down_checks"), amount(row, "avg_response_time")];
  const answered = average > 0 ? up : 0;
  return {
    ...{ id, bucket, up, down, answered, totalTime: answered * average },
    minTime: answered > 0 ? amount(row, "min_response_time") : null,
    maxTime: answered > 0 ? amount(row, "max_response_time") : null,
  };
};

/** The sums of days, each once, because xugou may have written a day twice. */
const daysOf = ({ monitor_daily_stats }: XugouRows): HistorySum[] => {
  const sums = monitor_daily_stats.flatMap((row) => sumOf(row) ?? []).filter(({ up, down }) => up + down > 0);
  return [...new Map(sums.map((sum) => [`${sum.id} ${sum.bucket}`, sum])).values()];
};

/** The page refers to servers by their ids. */
const agentItems = ({ agents }: XugouRows): Item[] =>
  agents.flatMap((row) => {
    const id = numberIn(row, "id");
    return id === null
      ? []
      : [serverItem({ id, kind: "agent", externalId: `agent:${id}`, name: row.name || row.hostname })];
  });

const templateItems = ({ notification_templates }: XugouRows): Item[] =>
  notification_templates
    // xugou creates two of its own, which are usually as it made them.
    .filter((row) => numberIn(row, "is_default") !== 1 || textOf(row, "updated_at") !== textOf(row, "created_at"))
    .map((row) => ({
      ...{ part: "other" as const, externalId: `template:${numberIn(row, "id")}`, kind: "template", content: null },
      name: clean(row.name, 200) || "template",
      notes: [note("template_left_out")],
    }));

/** Two installations have different first users. */
const installationOf = ({ users }: XugouRows): string => {
  const first = users.toSorted((one, other) => (numberIn(one, "id") ?? 0) - (numberIn(other, "id") ?? 0))[0];
  return first ? hashSecret(textOf(first, "created_at")).slice(0, 16) : "";
};

const draftOf = (rows: XugouRows, minInterval: number): Draft => {
  const [days, channels, monitors] = [daysOf(rows), channelItems(rows), monitorItems(rows, minInterval)];
  const first = days.reduce((least, { bucket }) => Math.min(least, bucket), Number.POSITIVE_INFINITY);
  return {
    ...{ source: NAME, version: "", sourceId: installationOf(rows) },
    items: boundedItems([...channels, ...monitors, ...agentItems(rows), ...pageItems(rows), ...templateItems(rows)]),
    rules: rulesOf(rows, channels),
    history: days.length > 0 ? { from: first * DAY } : null,
  };
};

export const xugou: Source = {
  name: NAME,
  recognise: (upload, start) => hasTables(upload, start, MARKS) || isSqlExport(startText(start), TEXT_MARKS),
  read: async (upload, { config }) => draftOf(await readRows(upload), config.minInterval),
  readHistory: async function* (upload, ids) {
    yield { days: daysOf(await readRows(upload)).filter(({ id }) => ids.has(id)) };
  },
};
