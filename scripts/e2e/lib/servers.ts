import type { joinAs } from "../../smoke/lib/hub";

type Client = Awaited<ReturnType<typeof joinAs>>;

const GIGABYTE = 1024 ** 3;
const MINUTE = 60_000;
const SAMPLES = 50;

/** Percent of the CPU, and gigabytes of the memory and of the data disk. */
type Usage = { load: number; memory?: number; data?: number };

/** Samples of a server with a daily load curve. */
const sampleAt = (time: number, now: number, { load, memory = 4.2, data = 402 }: Usage) => {
  const wave = Math.sin((now - time) / (7 * MINUTE));
  const used = { memory: (memory + wave * 0.3) * GIGABYTE, root: 31 * GIGABYTE, data: data * GIGABYTE };
  return {
    at: new Date(time).toISOString(),
    cpu: Math.round((load + 8 * wave) * 10) / 10,
    memory: { total: 15.6 * GIGABYTE, used: Math.round(used.memory) },
    disk: { total: 560 * GIGABYTE, used: used.root + used.data },
    disks: [
      { mount: "/", total: 60 * GIGABYTE, used: used.root },
      { mount: "/srv/data", total: 500 * GIGABYTE, used: used.data },
    ],
    network: { rx: 34 + 12 * wave, tx: 9 + 3 * wave },
    swap: { total: 2 * GIGABYTE, used: 0.1 * GIGABYTE },
    load: [0.42, 0.38, 0.35],
    boot_time: new Date(now - 12 * 24 * 60 * MINUTE).toISOString(),
  };
};

/** Enrolls a server with a history of samples. `report` sends a sample of now, so that it stays online. */
export const addReportingServer = async (origin: string, client: Client, hostname: string, usage: Usage) => {
  const { token } = (await client.post("/api/agents/token/generate")).body as unknown as { token: string };
  const identity = {
    hostname,
    ip_addresses: ["203.0.113.24", "2001:db8::24"],
    os: "Debian GNU/Linux 12 (bookworm)",
    version: "6.1.0-37-amd64",
  };
  const send = async (path: string, body: object, key = "") => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
    return (await fetch(`${origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
  };
  const { agent, key } = (await send("/api/agents/register", { ...identity, token, machine_id: hostname })) as {
    agent: { id: number };
    key: string;
  };
  const report = async (count = 1): Promise<void> => {
    const now = Date.now();
    const samples = Array.from({ length: count }, (_, index) =>
      sampleAt(now - (count - 1 - index) * MINUTE, now, usage),
    );
    await send("/api/agents/report", { ...identity, interval: 60, samples }, key);
  };
  await report(SAMPLES);
  return { id: agent.id, report };
};

/** Enrolls a server with a history of samples. Returns its id. */
export const addServer = async (origin: string, client: Client, hostname: string, load: number): Promise<number> =>
  (await addReportingServer(origin, client, hostname, { load })).id;
