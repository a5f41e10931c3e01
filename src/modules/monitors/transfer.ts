import { and, asc, gt } from "drizzle-orm";
import { t } from "elysia";
import { madeBy, ownedBy } from "../../db/owner";
import { monitors } from "../../db/schema";
import { isOneOf } from "../../db/sql";
import { list } from "../../server/answers";
import { field } from "../../server/schema";
import type { Tag } from "../../shared/tags";
import { readTags } from "../tags/service";
import { atMost, definePart, type Exporting, fileId, MAX_ITEMS, matchItems, note, parseItem } from "../transfer/part";
import { insertMonitors } from "./change";
import { readTokens, TOKEN, takenTokens } from "./heartbeats/rows";
import { kindOf } from "./kinds/registry";
import { type MonitorInput, monitorModel, parseMonitor } from "./model";
import { ExportedMonitor, type PresentedSettings, presentSettings } from "./present";
import { fromRow } from "./service";

/** Monitors read in one batch: each may be 80 KiB. */
const BATCH = 50;

async function* exportMonitors({
  deps,
  owner,
}: Exporting): AsyncGenerator<PresentedSettings & { tags?: Tag[]; ping_token?: string }> {
  for (let last = 0, complete = false; !complete; ) {
    const rows = await deps.db
      .select()
      .from(monitors)
      .where(and(ownedBy(monitors, owner.teamId), gt(monitors.id, last)))
      .orderBy(asc(monitors.id))
      .limit(BATCH);
    complete = rows.length < BATCH;
    const ids = rows.map(({ id }) => id);
    const tags = await readTags(deps, "monitor", ids);
    const tokens = await readTokens(deps, ids);
    for (const row of rows) {
      const own = tags.get(row.id);
      const token = tokens.get(row.id);
      yield { ...presentSettings(fromRow(row)), ...(own && { tags: own }), ...(token && { ping_token: token }) };
      last = row.id;
    }
  }
}

const sorted = (value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, inner]) => [name, sorted(inner)]),
      );

/** A key that is equal for monitors with the same settings, active or paused. A stored field may be older than its default. */
const monitorKey = ({ name, kind, config, ...schedule }: MonitorInput): string => {
  const { interval, timeout, retries, retryPause, quickRecheck } = schedule;
  const fields = sorted({ ...kindOf(kind)?.defaults, ...config });
  return JSON.stringify([name, kind, fields, interval, timeout, retries, retryPause, quickRecheck]);
};

const tokenField = field(
  t.String({
    maxLength: 64,
    pattern: TOKEN.source,
    error: "expected 10 to 64 letters, digits, hyphens or underscores",
  }),
  "The token in the ping URL of a heartbeat, which is kept if it is free.",
);

/** The tokens that new heartbeats can't keep, because they are in use or another one of the file has them. */
const unusableTokens = async (
  deps: Exporting["deps"],
  added: readonly { id: number; token?: string | undefined }[],
) => {
  const seen = await takenTokens(
    deps,
    added.flatMap(({ token }) => (token === undefined ? [] : [token])),
  );
  const replaced = new Set<number>();
  for (const { id, token } of added) {
    if (token === undefined) continue;
    if (seen.has(token)) replaced.add(id);
    seen.add(token);
  }
  return replaced;
};

/** The monitors of an exported file. */
export const monitorsPart = definePart({
  key: "monitors",
  counted: "monitors",
  sent: field(
    t.Array(
      t.Composite([t.Object({ id: t.Optional(fileId), ping_token: t.Optional(tokenField) }), monitorModel]),
      atMost(MAX_ITEMS),
    ),
    "Monitors that do not exist in the same form are created.",
  ),
  example: [{ id: 3, name: "Payments API", url: "https://api.example.com/health", interval: 60 }],
  exported: list(ExportedMonitor),
  export: exportMonitors,
  parse: (sent, refuse, config) =>
    sent.flatMap((monitor, index) =>
      parseItem(() => [{ ...parseMonitor(monitor, config), id: monitor.id, token: monitor.ping_token }], {
        ...{ index, refuse, otherwise: [] },
      }),
    ),
  import: async (sent, context) => {
    const { deps, owner, now } = context;
    const names = [...new Set(sent.map(({ name }) => name))];
    // A user may have many monitors; an index finds those with a name in the file.
    const own = and(ownedBy(monitors, owner.teamId), isOneOf(monitors.name, names));
    const stored = names.length === 0 ? [] : (await deps.db.select().from(monitors).where(own)).map(fromRow);
    const { added, ...matched } = await matchItems(context, sent, {
      ...{ table: monitors, quota: "monitors", stored, keyOf: monitorKey },
    });
    const replaced = await unusableTokens(deps, added);
    const inserted = added.map((monitor) => (replaced.has(monitor.id) ? { ...monitor, token: undefined } : monitor));
    await insertMonitors(deps.db, inserted, { owner: madeBy(owner), now });
    return {
      ...matched,
      stored: () => {
        for (const { id } of added) deps.changedMonitors.add(id);
      },
      notes: () =>
        sent.flatMap(({ name }, index) =>
          replaced.has(matched.ids[index] as number)
            ? [note("ping_url_new", `monitors.${index}`, `"${name}" has a new ping URL, because its own is in use`)]
            : [],
        ),
    };
  },
});
