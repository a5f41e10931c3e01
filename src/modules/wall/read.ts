/** Everything that a wall shows: names, states, reasons and times, without addresses. */
import type { Static } from "@sinclair/typebox";
import { version } from "../../build-info";
import type { Deps } from "../../core/deps";
import type { Viewer } from "../../db/owner";
import {
  boolean,
  component,
  integer,
  list,
  nullable,
  object,
  oneOf,
  optional,
  presentUnknown,
  text,
  time,
  unknownField,
} from "../../server/answers";
import { CONDITIONS } from "../../shared/monitor";
import { heldFields, MAX_PROBLEMS, problemFields, readProblems, readWellSince } from "../alerting/outages/problems";
import { countMonitors } from "../monitors/list";
import { readWellMonitors } from "../monitors/well";
import { countServers } from "../servers/service";
import { readWellServers } from "../servers/well";
import type { WantedTag } from "../tags/model";

/** The most tiles: more do not fit on any screen, and only their number is shown. */
export const MAX_TILES = 400;

const { target_type, target_name, kind, since, started_after, error_code, error_detail } = problemFields;
const { figure, threshold, mount, subject, last_report } = problemFields;

const WallProblem = component("WallProblem", {
  ...{ target_type, target_name, kind, since, started_after, error_code, error_detail },
  ...{ figure, threshold, mount, subject, last_report },
  facts: nullable(
    object({
      state: optional(text("The state of a container, a unit or an array, as it was reported.", "exited")),
      exhausted_at: optional(time("When the quota is used up or the disk is full at the present rate.")),
      ends_on: optional(text("The date on which the contract ends.", "2026-01-29")),
    }),
    null,
  ),
  acknowledged: boolean("Whether a user has acknowledged it.", false),
});

export const wallFields = {
  version: text("The version of the program: a wall that was opened under another one loads itself again.", "1.2.3"),
  tag: nullable(
    text("The tag to which its key is limited; null for none, and for callers with a session.", "production"),
  ),
  unknown: unknownField,
  conditions: list(object({ code: oneOf("What the hub lacks, so that some checks are skipped.", CONDITIONS) })),
  monitors: object({
    up: integer("Monitors that are up, also those that respond slowly.", 10),
    down: integer("Monitors that are down.", 1),
    pending: integer("Monitors that were not checked yet.", 0),
    paused: integer("Monitors that are paused.", 1),
    unknown: integer("Monitors whose last ping may have been lost.", 0),
    total: integer("Number of all monitors.", 12),
  }),
  agents: object({
    active: integer("Servers that report.", 3),
    inactive: integer("Servers that are offline.", 1),
    connecting: integer("Servers that have not reported yet.", 0),
    total: integer("Number of all servers.", 4),
  }),
  problems: list(
    WallProblem,
    `What is not well now: what is down or offline, then what is slow, above a threshold or expires soon; each newest first, at most ${MAX_PROBLEMS}.`,
  ),
  problems_total: integer("Number of all problems.", 1),
  in_maintenance: object({
    ...heldFields,
    names: list(text("A name.", "Payments API"), "The targets that are not well in maintenance, at most 50."),
  }),
  well: object({
    total: integer("Number of monitors and servers without a problem.", 36),
    names: list(
      text("A name.", "Payments API"),
      `Their names, monitors first; empty when there are more than ${MAX_TILES}.`,
    ),
  }),
  well_since: nullable(
    time("When the last outage ended during which something was down or offline; null if there was none."),
  ),
};
const Wall = object(wallFields);
export type Wall = Static<typeof Wall>;

type Problem = Awaited<ReturnType<typeof readProblems>>["problems"][number];

/** Of the facts, other machines and programs are left out. */
const presentProblem = ({ facts, ...problem }: Problem): Wall["problems"][number] => {
  const { target_type, target_name, kind, since, started_after, error_code, error_detail } = problem;
  const { figure, threshold, mount, subject, last_report, acknowledged } = problem;
  const { state, exhausted_at, ends_on } = facts ?? {};
  const own = { ...(state && { state }), ...(exhausted_at && { exhausted_at }), ...(ends_on && { ends_on }) };
  return {
    ...{ target_type, target_name, kind, since, started_after, error_code, error_detail },
    ...{ figure, threshold, mount, subject, last_report },
    facts: Object.keys(own).length > 0 ? own : null,
    acknowledged: acknowledged !== null,
  };
};

/** Reads the content of a viewer's wall about the targets with all of these tags. */
export const readWall = async (deps: Deps, viewer: Viewer, tags: readonly WantedTag[]): Promise<Omit<Wall, "tag">> => {
  const { all, up, down, pending, paused } = await countMonitors(deps, viewer, { tags });
  const { all: servers, ...statuses } = await countServers(deps, viewer, tags);
  const { problems, problems_total, in_maintenance } = await readProblems(deps, viewer, tags);
  const { outages: held, ...heldCounts } = in_maintenance;
  const monitors = await readWellMonitors(deps, viewer, { tags, limit: MAX_TILES });
  const agents = await readWellServers(deps, viewer, { tags, limit: MAX_TILES });
  const total = monitors.total + agents.total;
  return {
    version,
    unknown: presentUnknown(deps.watching.unknown()),
    conditions: deps.outbound.conditions().map(({ code }) => ({ code })),
    monitors: { up, down, pending, paused, unknown: monitors.unknown, total: all },
    agents: { ...statuses, total: servers },
    problems: problems.map(presentProblem),
    problems_total,
    in_maintenance: { ...heldCounts, names: [...new Set(held.map(({ target_name }) => target_name))] },
    well: { total, names: total > MAX_TILES ? [] : [...monitors.names, ...agents.names] },
    well_since: await readWellSince(deps, viewer, tags),
  };
};
