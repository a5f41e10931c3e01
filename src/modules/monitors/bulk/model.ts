import type { TProperties } from "@sinclair/typebox";
import { type Static, t } from "elysia";
import type { Config } from "../../../core/config";
import { validation } from "../../../core/errors";
import { field, oneOf, whole } from "../../../server/schema";
import { BULK_ACTIONS, BULK_LIMITS } from "../../../shared/monitor";
import { TAG_LIMITS } from "../../../shared/tags";
import { parseTagFilter, parseTags, tagsModel } from "../../tags/model";
import { listQuery, monitorModel } from "../model";
import { intervalField, shortIntervalProblems } from "../schedule/model";

/** Channels of one setting. */
const MAX_CHANNELS = 100;

const { timeout, retries, retry_pause, quick_recheck } = monitorModel.properties;
const { search, status } = listQuery.properties;
const id = whole(1, Number.MAX_SAFE_INTEGER);

/** Unknown fields stay, so that they are refused: without a misspelled filter or `dry_run`, a call would change more. */
const strict = <Properties extends TProperties>(properties: Properties) =>
  t.Object(properties, { additionalProperties: true });

const setModel = strict({
  interval: t.Optional(intervalField),
  timeout,
  retries,
  retry_pause,
  quick_recheck,
  add_tags: t.Optional(field(tagsModel, "Tags that they get; others stay.", [{ name: "production" }])),
  remove_tags: t.Optional(
    field(
      t.Array(t.String({ maxLength: TAG_LIMITS.name }), {
        maxItems: TAG_LIMITS.perUser,
        error: `expected at most ${TAG_LIMITS.perUser} names of tags`,
      }),
      "Names of tags that they lose.",
    ),
  ),
  channels: t.Optional(
    field(
      t.Union([
        t.Array(whole(0, Number.MAX_SAFE_INTEGER), {
          maxItems: MAX_CHANNELS,
          error: `expected a list of at most ${MAX_CHANNELS} ids of channels`,
        }),
        t.Null(),
      ]),
      "The channels of each in place of the setting for all; null: as the setting for all. Your own monitors only.",
    ),
  ),
});

const filterModel = strict({
  mine: t.Optional(field(t.Boolean(), "Only your own, for administrators.")),
  search,
  status,
  tags: t.Optional(
    field(
      t.Array(t.String({ maxLength: TAG_LIMITS.filter }), {
        maxItems: TAG_LIMITS.perTarget,
        error: `expected at most ${TAG_LIMITS.perTarget} tags`,
      }),
      "Names, or `name:value`, of tags that each of them has.",
    ),
  ),
});

const FILTER_EXPECTED = `expected an object in which mine is true or false, search has at most ${search.maxLength} characters, status is one of ${status.enum.join(", ")}, and tags are at most ${TAG_LIMITS.perTarget}`;

export const bulkModel = strict({
  ids: t.Optional(
    field(
      t.Array(id, {
        minItems: 1,
        maxItems: BULK_LIMITS.monitors,
        error: `expected a list of 1 to ${BULK_LIMITS.monitors} ids`,
      }),
      "The monitors, at most 1,000; either these or a filter.",
    ),
  ),
  filter: t.Optional(
    // Alone, the object would take null as an empty filter.
    field(
      t.Union([filterModel, t.Null()], { accepts: filterModel, error: FILTER_EXPECTED }),
      "All that match, if they are at most 1,000. An empty one matches all that you see.",
    ),
  ),
  action: t.Optional(
    field(oneOf(BULK_ACTIONS), "What is done; either this or `set`. `check` does not wait for the checks."),
  ),
  set: t.Optional(field(setModel, "What is changed of each; the rest stays.", { interval: 300 })),
  dry_run: t.Optional(field(t.Boolean(), "Whether nothing is changed, and the answer is what it would be.", true)),
});

const refuse = (path: string, message: string) => validation([{ path, message: `${path}: ${message}` }]);

/** @throws {AppError} validation for fields that a part of the request does not have; `path` ends with a dot */
const refuseUnknown = (sent: object, model: { properties: object }, path = ""): void => {
  const unknown = Object.keys(sent).find((name) => !Object.hasOwn(model.properties, name));
  if (unknown === undefined) return;
  throw refuse(`${path}${unknown.slice(0, 50)}`, `expected only ${Object.keys(model.properties).join(", ")}`);
};

/**
 * A request about many monitors.
 * @throws {AppError} validation for unknown fields, and unless it has either ids or a filter, and either an action or
 * something to set
 */
export const parseBulk = (sent: Static<typeof bulkModel>, config: Pick<Config, "minInterval">) => {
  const { ids, filter, action, set, dry_run = false } = sent;
  refuseUnknown(sent, bulkModel);
  if (filter === null) throw refuse("filter", FILTER_EXPECTED);
  refuseUnknown(filter ?? {}, filterModel, "filter.");
  refuseUnknown(set ?? {}, setModel, "set.");
  if ((ids === undefined) === (filter === undefined)) throw refuse("ids", "expected either ids or a filter");
  if ((action === undefined) === (set === undefined)) throw refuse("action", "expected either an action or set");
  if (set && Object.keys(set).length === 0) throw refuse("set", "expected at least one field");
  const short = shortIntervalProblems(set?.interval, config, { path: "set.interval" });
  if (short.length > 0) throw validation(short);
  return {
    ids: ids && [...new Set(ids)],
    filter: filter && {
      ...(filter.mine && { mine: "1" }),
      search: filter.search,
      status: filter.status,
      tags: parseTagFilter(filter.tags ?? []),
    },
    action,
    set: set && {
      ...set,
      add_tags: set.add_tags && parseTags(set.add_tags, "set.add_tags"),
      channels: set.channels && [...new Set(set.channels)],
    },
    dryRun: dry_run,
  };
};

export type Bulk = ReturnType<typeof parseBulk>;
export type BulkChanges = NonNullable<Bulk["set"]>;
