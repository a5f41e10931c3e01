import type { joinAs } from "../../smoke/lib/hub";

type Client = Awaited<ReturnType<typeof joinAs>>;

const GIGABYTE = 1024 ** 3;
const MINUTE = 60_000;
const SAMPLES = 50;

/** Samples of a server with a daily load curve. */
const sampleAt = (time: number, now: number, load: number) => {
  const wave = Math.sin((now - time) / (7 * MINUTE));
  const used = { memory: 4.2 * GIGABYTE + wave * 0.3 * GIGABYTE, root: 31 * GIGABYTE, data: 402 * GIGABYTE };
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

/** Enrolls a server with a history of samples. Returns its id. */
export const addServer = async (origin: string, client: Client, hostname: string, load: number): Promise<number> => {
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
  const now = Date.now();
  const samples = Array.from({ length: SAMPLES }, (_, index) =>
    sampleAt(now - (SAMPLES - 1 - index) * MINUTE, now, load),
  );
  await send("/api/agents/report", { ...identity, interval: 60, samples }, key);
  return agent.id;
};
