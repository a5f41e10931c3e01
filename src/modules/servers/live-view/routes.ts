import { Elysia, t } from "elysia";
import type { Deps } from "../../../core/deps";
import { tenth } from "../../../lib/round";
import { describe, integer, list, nullable, number, object, ok, time } from "../../../server/answers";
import { field, idParam } from "../../../server/schema";
import type { Sample } from "../../../shared/agents/report";
import type { LiveSample } from "../../../shared/live";
import { clientAddress, originOf } from "../../accounts/client-address";
import { bearerOf, signedIn } from "../../accounts/guard";
import { sampleModel } from "../ingest/model";
import type { createReportKeys } from "../ingest/report-keys";
import { findServer } from "../service";

const success = true as const;
/** Seconds until the connection of a waiting call is closed; the call is answered earlier. */
const IDLE_TIMEOUT = 70;
/** Samples of one call. */
const MAX_SAMPLES = 5;

const model = t.Object({
  samples: field(
    t.Array(sampleModel, { maxItems: MAX_SAMPLES, error: `expected a list of at most ${MAX_SAMPLES} samples` }),
    "Oldest first; none to wait. At most 5.",
  ),
});

const knownOr = ({ total, used }: { total: number; used: number }) =>
  total > 0 ? ([total, used] as const) : ([null, null] as const);

/** The part of a sample for pages, of a fixed size. */
const liveSampleOf = (id: number, sample: Sample): LiveSample => {
  const { cpu, cpu_parts, memory, swap, network, load, disk_activity = [] } = sample;
  const [memory_total, memory_used] = knownOr(memory);
  const [swap_total, swap_used] = knownOr(swap ?? { total: 0, used: 0 });
  const most = (name: "read" | "write" | "busy") =>
    disk_activity.length > 0 ? tenth(Math.max(...disk_activity.map((device) => device[name]))) : null;
  return {
    id,
    at: sample.at,
    cpu_usage: tenth(cpu),
    cpu_iowait: tenth(cpu_parts?.iowait ?? null),
    cpu_steal: tenth(cpu_parts?.steal ?? null),
    memory_total,
    memory_used,
    swap_total,
    swap_used,
    network_rx: tenth(network?.rx ?? null),
    network_tx: tenth(network?.tx ?? null),
    load_average: load ?? null,
    disk_read: most("read"),
    disk_write: most("write"),
    disk_busy: most("busy"),
  };
};

/** The agent's call that waits until its server is watched, and then its samples of each second. */
export const liveViewCalls = (deps: Deps, keys: ReturnType<typeof createReportKeys>) => {
  const admit = (request: Request, server: Parameters<typeof clientAddress>[2]) =>
    keys.admit(
      bearerOf(request.headers.get("authorization") ?? undefined),
      originOf(clientAddress(deps, request, server)),
    );
  return new Elysia().post(
    "/live",
    async ({ body: { samples }, request, server }) => {
      const { id: agentId } = await admit(request, server);
      if (samples.length > 0) {
        const liveSamples = samples.map((sample) => liveSampleOf(agentId, sample));
        return { success, seconds: deps.live.view.publish(agentId, liveSamples) };
      }
      server?.timeout(request, IDLE_TIMEOUT);
      return { success, seconds: await deps.live.view.wait(agentId, request.signal) };
    },
    {
      body: model,
      // As for reports: nothing of an unknown client is read.
      parse: async ({ request, server }) => {
        await admit(request, server);
      },
      detail: describe({
        id: "reportLive",
        summary: "Wait for the live view, and report to it",
        description:
          "An agent that a report's answer told to calls this with its own key. Without samples the call waits until a page shows the server second by second, at most 55 seconds; a second one ends the first. With samples, these are passed to such pages, and not stored. An instance has room for 2,000 waiting agents.",
        access: "agent",
        answer: {
          description: "For how long a sample a second is wanted.",
          schema: ok({
            seconds: integer("For how many seconds the agent shall send a sample each second; 0: not.", 35),
          }),
        },
        refusals: ["unauthorized", "agent_deleted", "rate_limited", "unavailable"],
      }),
    },
  );
};

const percent = (description: string, example: number) => nullable(number(description, example));
const amount = (description: string, example: number) => nullable(number(description, example));

const LiveSampleAnswer = object({
  id: integer("The server's id.", 5),
  at: time("When it was taken, by the clock of the machine."),
  cpu_usage: percent("Percent of all cores.", 12.5),
  cpu_iowait: percent("Percent of the time that was waited for disks.", 0.5),
  cpu_steal: percent("Percent of the time that the hypervisor gave to other machines.", 0),
  memory_total: amount("Bytes.", 17_179_869_184),
  memory_used: amount("Bytes.", 4_294_967_296),
  swap_total: amount("Bytes.", 2_147_483_648),
  swap_used: amount("Bytes.", 0),
  network_rx: amount("KB/s received.", 8),
  network_tx: amount("KB/s sent.", 2.5),
  load_average: nullable(list(number("Over 1, 5 and 15 minutes.", 0.5))),
  disk_read: amount("KB/s, of the device that is read most.", 120),
  disk_write: amount("KB/s, of the device that is written most.", 16),
  disk_busy: percent("Percent of the time in which the busiest device was in use.", 3.1),
});

/** A page's request for a server's figures each second. */
export const liveViewRoutes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .guard({ params: idParam("The server's id.") })
    .get(
      "/:id/live",
      async ({ user, params }) => {
        const { agent } = await findServer(deps, user, params.id);
        return { success, sample: deps.live.view.watch(user.id, agent.id, agent.teamId) };
      },
      {
        detail: describe({
          id: "watchAgent",
          summary: "Watch a server live",
          description:
            "For the next 35 seconds the server's agent sends a sample each second, if it can: they are the `sample` events of the caller's streams. Call it again every 20 seconds. Of the servers that a user watches, the latest 20 are live. Agents older than this call, the light agent and those beyond the first 2,000 report at their interval only.",
          access: "user",
          answer: {
            description: "The latest sample, or null when none has arrived for 5 seconds.",
            schema: ok({ sample: nullable(LiveSampleAnswer) }),
          },
        }),
      },
    );
