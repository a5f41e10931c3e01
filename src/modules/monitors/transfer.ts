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
import { readTokens, TOKEN, takenSlugs, takenTokens } from "./heartbeats/rows";
import { kindOf } from "./kinds/registry";
import { type MonitorInput, monitorModel, parseMonitor } from "./model";
import { ExportedMonitor, type PresentedSettings, presentSettings } from "./present";
import { fromRow, slugIn } from "./service";

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

/**
 * A key that is equal for monitors with the same settings, active or paused. A stored field may be older than its default, and
 * a slug may have been in use.
 */
const monitorKey = ({ name, kind, config, ...schedule }: MonitorInput): string => {
  const { interval, timeout, retries, retryPause, quickRecheck } = schedule;
  const fields = sorted({ ...kindOf(kind)?.defaults, ...config, slug: undefined });
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

type Added = MonitorInput & { id: number; token?: string | undefined };

/** The monitors that can't keep a value, because it is in use or another one of the file has it. */
const withTaken = async (
  added: readonly Added[],
  read: (monitor: Added) => string | null | undefined,
  readTaken: (values: string[]) => Promise<ReadonlySet<string>>,
): Promise<Set<number>> => {
  const seen = new Set(await readTaken(added.flatMap((monitor) => read(monitor) ?? [])));
  const refused = new Set<number>();
  for (const monitor of added) {
    const value = read(monitor);
    if (value == null) continue;
    if (seen.has(value)) refused.add(monitor.id);
    seen.add(value);
  }
  return refused;
};

/** New monitors without the tokens and slugs that are taken, and the monitors that lost them. */
const withoutTaken = async (deps: Exporting["deps"], teamId: number, added: readonly Added[]) => {
  const tokens = await withTaken(
    added,
    ({ token }) => token,
    (values) => takenTokens(deps, values),
  );
  const slugs = await withTaken(
    added,
    ({ config }) => slugIn(config),
    async (values) => new Set((await takenSlugs(deps, teamId, values)).keys()),
  );
  const monitors = added.map(({ token, ...monitor }) => ({
    ...monitor,
    ...(token !== undefined && !tokens.has(monitor.id) && { token }),
    ...(slugs.has(monitor.id) && { config: { ...monitor.config, slug: "" } }),
  }));
  return { monitors, tokens, slugs };
};

const CHANGED = {
  ping_url_new: (name: string) => `"${name}" has a new ping URL, because its own is in use`,
  slug_taken: (name: string) => `"${name}" has no slug, because another heartbeat has it`,
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
    const kept = await withoutTaken(deps, owner.teamId, added);
    await insertMonitors(deps.db, kept.monitors, { owner: madeBy(owner), now });
    const taken = matched.ids.flatMap((id, index): { index: number; code: "ping_url_new" | "slug_taken" }[] => [
      ...(kept.tokens.has(id) ? [{ index, code: "ping_url_new" as const }] : []),
      ...(kept.slugs.has(id) ? [{ index, code: "slug_taken" as const }] : []),
    ]);
    return {
      ...matched,
      changed: taken,
      stored: () => {
        for (const { id } of added) deps.changedMonitors.add(id);
      },
      notes: () =>
        taken.map(({ index, code }) => note(code, `monitors.${index}`, CHANGED[code](sent[index]?.name ?? ""))),
    };
  },
});
