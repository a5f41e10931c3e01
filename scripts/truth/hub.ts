/** An administrator's calls to the hub. The first instance answers them. */
import { joinAs, PASSWORD, signIn } from "../smoke/lib/hub";
import { until } from "../smoke/lib/until";
import type { Claim, Span, Uptime } from "./compare";
import type { Instance } from "./instance";
import type { Receiver } from "./receiver";
import { JOB } from "./scenario";

type Outage = Record<"kind" | "target_name" | "started_at", string> &
  Record<"started_after" | "ended_at", string | null>;

const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));

/** When checks that open outages were stored, by the id of the monitor: the hub's log says it. */
const recordsIn = (logs: readonly string[][]): Map<number, number[]> => {
  const lines = logs.flat().filter((line) => line.includes('"a monitor went down"'));
  const records = lines.map((line) => JSON.parse(line) as { time: string; monitor: number });
  const byMonitor = Map.groupBy(records, ({ monitor }) => monitor);
  return new Map([...byMonitor].map(([id, list]) => [id, list.map(({ time }) => Date.parse(time))]));
};

/** Monitors by their names, and when they were added. */
type Added = Map<string, { id: number; at: number }>;
type Client = Awaited<ReturnType<typeof joinAs>>;
type Calls = { instances: readonly Instance[]; client: () => Client; added: Added };

const must = async (what: string, answer: Promise<{ status: number; text: string }>) => {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`${what}: ${status} ${text}`);
};

const createReader = ({ instances, client, added }: Calls) => {
  const readOutages = async (): Promise<Outage[]> => {
    const all: Outage[] = [];
    for (let before = ""; ; ) {
      const { outages, next } = (await client().get(`/api/outages?limit=100${before}`)).body;
      all.push(...outages);
      if (next === null) return all.reverse();
      before = `&before=${next}`;
    }
  };
  return {
    claims: async (): Promise<Claim[]> => {
      const records = recordsIn(instances.flatMap(({ logs }) => logs));
      return (await readOutages())
        .filter(({ kind }) => ["down", "offline"].includes(kind))
        .map(({ target_name: name, ...outage }) => {
          const startedAt = Date.parse(outage.started_at);
          const stored = records.get(added.get(name)?.id ?? 0) ?? [];
          return {
            ...{ name, startedAt, startedAfter: timeOf(outage.started_after), endedAt: timeOf(outage.ended_at) },
            recordedAt: stored.find((time) => time >= startedAt) ?? null,
          };
        });
    },
    uptimes: async (): Promise<Uptime[]> => {
      const { monitors } = (await client().get("/api/monitors?limit=500")).body as {
        monitors: { id: number; kind: string; name: string; uptime: number; watched: number }[];
      };
      const at = Date.now();
      const gapsOf = async (id: number): Promise<Span[]> => {
        const { gaps } = (await client().get(`/api/monitors/${id}/series?range=24h`)).body as {
          gaps: { from: string; to: string | null }[];
        };
        return gaps.map(({ from, to }) => ({ from: Date.parse(from), to: timeOf(to) ?? at }));
      };
      const [one] = added.values();
      // A ping may have been lost, so that each job has gaps of its own.
      const ofAll = await gapsOf(one?.id ?? 0);
      const uptimes: Uptime[] = [];
      for (const { id, kind, name, uptime, watched } of monitors) {
        const gaps = kind === "heartbeat" ? await gapsOf(id) : ofAll;
        uptimes.push({ name, uptime, watched, gaps, at, since: added.get(name)?.at ?? at });
      }
      return uptimes;
    },
    /** Waits until every monitor has been checked. */
    allChecked: () =>
      until("the first checks", async () => {
        // Not the type of the call, which is too deep for the compiler here.
        const { monitors } = JSON.parse((await client().get("/api/dashboard" as string)).text);
        return monitors.pending === 0;
      }),
  };
};

const createWriter = ({ instances, client, added }: Calls, channels: { each: number; grouped: number }) => {
  const [first] = instances as [Instance, ...Instance[]];
  const notify = (target: object, chosen: number[]) =>
    must("alerts", client().post("/api/notifications/settings", { ...target, enabled: true, channels: chosen }));

  /** `chat`: whether its messages are sent to the channel that groups them, too. */
  const addMonitor = async (monitor: { name: string } & object, chat = false) => {
    const { status, body, text } = await client().post("/api/monitors", monitor);
    if (status !== 201) throw new Error(`a monitor was refused: ${text}`);
    const { id, ping_url } = body.monitor as { id: number; ping_url?: string };
    added.set(monitor.name, { id, at: Date.now() });
    const one = { target_type: "monitor", target_id: id, override_global: true };
    if (chat) await notify(one, [channels.each, channels.grouped]);
    return { id, pingPath: new URL(ping_url ?? "/", first.current().origin).pathname };
  };

  return {
    addMonitor,
    /** Sends a message of each event to the channel that groups none. */
    notifyEach: async () => {
      for (const target_type of ["global-monitor", "global-agent"]) await notify({ target_type }, [channels.each]);
    },
    /** Adds a job and returns where it pings. */
    addJob: async (name: string): Promise<string> => {
      const job = { name, kind: "heartbeat", config: JOB };
      return (await addMonitor(job)).pingPath;
    },
    /** Enrolls a machine and returns the key of its agent. */
    enroll: async (hostname: string): Promise<string> => {
      const { token } = (await client().post("/api/agents/token/generate")).body;
      const machine = { machine_id: hostname, hostname, ip_addresses: ["10.0.0.5"], os: "Debian", version: "6.1" };
      return (
        await first
          .current()
          .as()
          .post("/api/agents/register", { token, ...machine })
      ).body.key;
    },
    /** Pauses and resumes monitors, so that they are due at once. */
    checkAll: async (ids: number[]): Promise<void> => {
      for (const change of ["pause", "resume"])
        for (const monitor of ids) await must(change, client().post(`/api/monitors/${monitor}/${change}`));
    },
  };
};

/** Creates an administrator, and two channels that lead to the receiver. */
export const openHub = async (instances: readonly Instance[], receiver: Receiver) => {
  const [first] = instances as [Instance, ...Instance[]];
  let client = await joinAs(first.current(), "alice");
  const addChannel = async (name: string, type: string, path: string): Promise<number> => {
    const channel = { name, type, config: { url: receiver.origin + path } };
    const { status, body, text } = await client.post("/api/notifications/channels", channel);
    if (status >= 300) throw new Error(`a channel was refused: ${text}`);
    return body.data.id;
  };
  const calls: Calls = { instances, client: () => client, added: new Map() };
  const writer = createWriter(calls, {
    each: await addChannel("each", "webhook", "/webhook"),
    grouped: await addChannel("grouped", "mattermost", "/chat"),
  });
  await writer.notifyEach();
  return {
    ...createReader(calls),
    ...writer,
    /** Signs in again at an instance that was started again. */
    signInAgain: async (): Promise<void> => {
      client = await signIn(first.current(), "alice", PASSWORD);
    },
  };
};

export type Hub = Awaited<ReturnType<typeof openHub>>;
