/** The hub of a run: its process, and an administrator's calls. */
import { joinAs, PASSWORD, type Settings, signIn, startConsole } from "../smoke/lib/hub";
import { until } from "../smoke/lib/until";
import type { Claim, Message } from "./compare";

const PORT = "18080";
/** A slice of the time of a starved hub, and its running part (ms): 10 % of a core. */
const SLICE = { all: 100, running: 10 };

type Place = { folder: string; executable: string };

/** Starts the hub, an administrator and a channel that collects messages. */
export const openHub = async (place: Place, settings: Settings) => {
  const env = { HOST: "0.0.0.0", PORT, PRIVATE_TARGETS: "all", DEFAULT_LANGUAGE: "en-US", ...settings };
  const messages: Message[] = [];
  const receiver = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { target, event, title } = (await request.json()) as {
        target: { name: string } | null;
        event: string;
        title: string;
      };
      messages.push({ name: target?.name ?? title, event, at: Date.now() });
      return new Response("thanks");
    },
  });
  let process = await startConsole(place, env);
  let client = await joinAs(process, "alice");
  const must = async (what: string, answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer;
    if (status >= 300) throw new Error(`${what}: ${status} ${text}`);
  };
  const channel = { name: "receiver", type: "webhook", config: { url: `http://127.0.0.1:${receiver.port}/` } };
  const { id } = (await client.post("/api/notifications/channels", channel)).body.data;
  for (const target_type of ["global-monitor", "global-agent"])
    await must("alerts", client.post("/api/notifications/settings", { target_type, enabled: true, channels: [id] }));

  const addMonitor = async (monitor: object): Promise<{ id: number; pingPath: string }> => {
    const { status, body, text } = await client.post("/api/monitors", monitor);
    if (status !== 201) throw new Error(`a monitor was refused: ${text}`);
    return { id: body.monitor.id, pingPath: new URL(String(body.monitor.ping_url ?? "/"), process.origin).pathname };
  };

  return {
    messages,
    port: PORT,
    addMonitor,
    /** Enrolls a machine and returns the key of its agent. */
    enroll: async (hostname: string): Promise<string> => {
      const { token } = (await client.post("/api/agents/token/generate")).body;
      const machine = { machine_id: hostname, hostname, ip_addresses: ["10.0.0.5"], os: "Debian", version: "6.1" };
      return (await process.as().post("/api/agents/register", { token, ...machine })).body.key;
    },
    /** Pauses and resumes monitors, so that they are due at once. */
    checkAll: async (ids: number[]): Promise<void> => {
      for (const change of ["pause", "resume"])
        for (const monitor of ids) await must(change, client.post(`/api/monitors/${monitor}/${change}`));
    },
    connectivity: async (): Promise<string | null> => (await client.get("/api/dashboard")).body.connectivity,
    /** Waits until every monitor has been checked. */
    allChecked: () =>
      until("the first checks", async () => {
        const { monitors } = (await client.get("/api/dashboard")).body;
        return monitors.pending === 0;
      }),
    claims: async (): Promise<Claim[]> => {
      const claims: Claim[] = [];
      for (let before = ""; ; ) {
        const { outages, next } = (await client.get(`/api/outages?limit=100${before}`)).body;
        for (const outage of outages) {
          if (!["down", "offline"].includes(outage.kind)) continue;
          claims.push({
            name: outage.target_name,
            startedAt: Date.parse(outage.started_at),
            startedAfter: outage.started_after === null ? null : Date.parse(outage.started_after),
            endedAt: outage.ended_at === null ? null : Date.parse(outage.ended_at),
          });
        }
        if (next === null) return claims.reverse();
        before = `&before=${next}`;
      }
    },
    kill: () => process.kill(),
    restart: async (): Promise<void> => {
      process = await startConsole(place, env);
      client = await signIn(process, "alice", PASSWORD);
    },
    freeze: () => process.signal("SIGSTOP"),
    thaw: () => process.signal("SIGCONT"),
    /** Lets the hub run a tenth of the time, until the returned function is called. */
    starve: (): (() => void) => {
      const timer = setInterval(() => {
        process.signal("SIGCONT");
        setTimeout(() => process.signal("SIGSTOP"), SLICE.running);
      }, SLICE.all);
      return () => {
        clearInterval(timer);
        setTimeout(() => process.signal("SIGCONT"), SLICE.all);
      };
    },
    stop: async (): Promise<void> => {
      await process.stop();
      await receiver.stop(true);
    },
  };
};

export type Hub = Awaited<ReturnType<typeof openHub>>;
