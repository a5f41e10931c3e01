import { Elysia } from "elysia";
import { version } from "../../build-info";
import type { Deps } from "../../core/deps";
import type { Viewer } from "../../db/owner";
import { isoTime } from "../../lib/time";
import {
  component,
  describe,
  integer,
  list,
  nullable,
  object,
  ok,
  oneOf,
  presentUnknown,
  text,
  time,
  unknownField,
} from "../../server/answers";
import { CONDITIONS } from "../../shared/monitor";
import { signedIn } from "../accounts/guard";
import { FeedEntry, readFeed } from "../alerting/feed";
import { heldFields, MAX_PROBLEMS, problemFields, readProblems, readWellSince } from "../alerting/outages/problems";
import { pastOutcome } from "../monitors/compact";
import type { createConnectivity } from "../monitors/engine/connectivity";
import { readUptime, uptimeField } from "../monitors/history/uptime";
import { listMonitors, readLatest } from "../monitors/list";
import { ListedMonitor } from "../monitors/present";
import { Server } from "../servers/present";
import { listServers } from "../servers/service";
import { Checklist, hideChecklist, readChecklist } from "./checklist";
import { MAX_INCIDENTS, OpenIncident, readOpenIncidents } from "./incidents";

export type ConnectivityState = Pick<ReturnType<typeof createConnectivity>, "state">;

/** The number of items that the dashboard shows, those that need attention first. */
const FIRST = { limit: 3, sort: "status" } as const;

/** The outcomes of each monitor that is down. */
const PROBLEM_HISTORY = 40;

const Problem = component("Problem", {
  ...problemFields,
  target: nullable(
    text("What is checked: an address, or a host with its port; null for servers.", "https://api.example.com/health"),
  ),
  uptime: uptimeField("30 days"),
  uptime_24h: uptimeField("24 hours"),
  history: list(pastOutcome, "The latest outcomes of a monitor, oldest first; empty for servers."),
});

const description = describe({
  id: "getDashboard",
  summary: "Get an overview",
  description: "What the first page of the console shows: your own, or of every user for administrators.",
  access: "user",
  answer: {
    description:
      "Counts, what is not well now and since when, the latest events, and three monitors and three servers: first those that are down or offline, then those that are degraded and those without a result.",
    schema: ok({
      monitors: object({
        up: integer("Monitors that are up, also those that are degraded.", 10),
        degraded: integer("Monitors that are up, but respond slowly.", 1),
        down: integer("Monitors that are down.", 1),
        pending: integer("Monitors that were not checked yet.", 0),
        paused: integer("Monitors that are paused.", 1),
        unknown: integer("Monitors whose state cannot be known now. They also count as their last known status.", 0),
        total: integer("Number of all monitors.", 12),
      }),
      agents: object({
        active: integer("Servers that report.", 3),
        inactive: integer("Servers that are offline.", 1),
        connecting: integer("Servers that have not reported yet.", 0),
        total: integer("Number of all servers.", 4),
      }),
      connectivity: nullable(
        oneOf(
          "Whether the hub's own network works: `lost` while it does not. Otherwise `ok` if it reaches CONNECTIVITY_TARGET, and null when that is not set.",
          ["ok", "lost"],
        ),
      ),
      unknown: unknownField,
      version: text("The version of the program.", "1.2.3"),
      conditions: list(
        object({
          code: oneOf("What the hub lacks: working name servers, file descriptors, local ports or memory.", CONDITIONS),
          since: text("Since when.", "2026-01-15T12:20:00.000Z"),
        }),
      ),
      latest_monitors: list(ListedMonitor),
      latest_agents: list(Server),
      now: time("The hub's time. Durations are measured against it, because the caller's clock may be wrong."),
      problems: list(
        Problem,
        `What is not well now: monitors that are down and servers that are offline, then monitors that are slow or whose certificate expires soon, and servers above a threshold; each newest first, at most ${MAX_PROBLEMS}.`,
      ),
      problems_total: integer("Number of all problems.", 1),
      in_maintenance: object({
        ...heldFields,
        outages: list(
          object(problemFields),
          "What is not well in maintenance, which is no problem, in the same order.",
        ),
      }),
      well_since: nullable(
        time("When the last outage ended during which something was down or offline; null if there was none."),
      ),
      events: list(
        FeedEntry,
        "The latest events, newest first, at most ten. What follows within two hours for the same target is one entry.",
      ),
      checklist: Checklist,
      incidents: list(OpenIncident, `Open incidents that you may write, newest first, at most ${MAX_INCIDENTS}.`),
      teams: integer("How many teams you are in, the personal one among them.", 1),
    }),
  },
});

/** The current problems of a viewer's targets. */
const readState = async (deps: Deps, viewer: Viewer) => {
  const { problems, ...rest } = await readProblems(deps, viewer);
  const monitors = problems.flatMap(({ target_type, target_id }) => (target_type === "monitor" ? [target_id] : []));
  const latest = await readLatest(deps, viewer, monitors, PROBLEM_HISTORY);
  const ofMonth = await readUptime(deps, monitors);
  const ofDay = await readUptime(deps, monitors, 1);
  return {
    problems: problems.map((problem) => {
      const of = <T>(byMonitor: ReadonlyMap<number, T>) =>
        problem.target_type === "monitor" ? byMonitor.get(problem.target_id) : undefined;
      const monitor = of(latest);
      return {
        ...problem,
        target: monitor?.target ?? null,
        uptime: of(ofMonth) ?? null,
        uptime_24h: of(ofDay) ?? null,
        history: monitor?.history ?? [],
      };
    }),
    ...rest,
    well_since: await readWellSince(deps, viewer),
    events: await readFeed(deps, viewer),
  };
};

export const dashboardRoutes = (deps: Deps, connectivity: ConnectivityState) =>
  new Elysia({ prefix: "/api/dashboard", tags: ["System"] })
    .use(signedIn(deps))
    .get(
      "/",
      async ({ user }) => {
        const { counts, monitors } = await listMonitors(deps, user, FIRST);
        const { all, ...statuses } = counts;
        const servers = await listServers(deps, user, FIRST);
        const { all: allServers, alerts: _, ...serverStatuses } = servers.counts;
        return {
          success: true as const,
          monitors: { ...statuses, total: all },
          agents: { ...serverStatuses, total: allServers },
          connectivity: connectivity.state(),
          unknown: presentUnknown(deps.watching.unknown()),
          version,
          conditions: deps.outbound.conditions().map(({ code, since }) => ({ code, since: isoTime(since) })),
          latest_monitors: monitors,
          latest_agents: servers.agents,
          now: isoTime(deps.clock.now()),
          ...(await readState(deps, user)),
          checklist: await readChecklist(deps, user),
          incidents: await readOpenIncidents(deps, user),
          teams: user.teams.size,
        };
      },
      { detail: description },
    )
    .delete(
      "/checklist",
      async ({ user }) => {
        await hideChecklist(deps, user);
        return { success: true as const };
      },
      {
        detail: describe({
          id: "hideChecklist",
          summary: "Hide the checklist",
          description: "Of yourself, on all devices. It does not come back.",
          access: "user",
          answer: { description: "`checklist` of the overview is null from now on.", schema: ok() },
        }),
      },
    );
