import type { MachineFacts, Sample } from "../../../src/shared/agents/report";
import type { Client } from "../../../src/testing/client";

const GIGABYTE = 1024 ** 3;
const MINUTE = 60_000;
const SAMPLES = 50;

/** Percent of the CPU, and gigabytes of the memory and of the data disk. `isRich`: it reports everything that an agent can. */
type Usage = { load: number; memory?: number; data?: number; isRich?: boolean };

const MEGABYTE = 1024 ** 2;
/** A name as a hostile machine may report one: markup, a line break, and a character that turns the direction of text. */
const HOSTILE = "<b>evil</b>\n\u202egnp.exe";

/** Facts of a machine with every feature. */
const MACHINE: MachineFacts = {
  processors: 8,
  processes: {
    cpu: [
      { name: "ffmpeg", value: 187.4 },
      { name: "postgres", value: 22.1 },
      { name: "node", value: 9.3 },
      { name: HOSTILE, value: 1.2 },
    ],
    memory: [
      { name: "postgres", value: 3.1 * GIGABYTE },
      { name: "java", value: 1.4 * GIGABYTE },
      { name: "node", value: 412 * MEGABYTE },
    ],
  },
  failed_units: ["backup-nightly.service", "certbot.service"],
  containers: [
    {
      name: "shop-web-1",
      image: "nginx:1.27",
      state: "running",
      health: "healthy",
      restarts: 0,
      cpu: 4.2,
      memory: 38 * MEGABYTE,
    },
    {
      name: "shop-api-1",
      image: "registry.example.com/shop/api:2026.11.3",
      state: "running",
      health: "unhealthy",
      restarts: 7,
      cpu: 61,
      memory: 512 * MEGABYTE,
    },
    { name: "shop-db-1", image: "postgres:17", state: "running", restarts: 0, cpu: 22.1, memory: 3.1 * GIGABYTE },
    {
      name: "migrate",
      image: "registry.example.com/shop/api:2026.11.3",
      state: "exited",
      exit_status: 137,
      restarts: 0,
    },
    { name: HOSTILE.repeat(4), image: "busybox", state: "exited", exit_status: 0 },
  ],
  containers_total: 5,
  gpus: [
    { name: "NVIDIA GeForce RTX 3060", usage: 35, memory: { total: 12 * GIGABYTE, used: 4.5 * GIGABYTE }, celsius: 61 },
  ],
  arrays: [
    { name: "md0", kind: "md", state: "clean, degraded, recovering", degraded: true },
    { name: "tank", kind: "zfs", state: "ONLINE", degraded: false },
  ],
  reboot_required: true,
};

/** The further figures of a rich server's sample. */
const furtherAt = (wave: number): Partial<Sample> => ({
  cpu_parts: { user: 12 + 4 * wave, system: 4, iowait: 3 + 2 * wave, steal: 6 + wave },
  disk_activity: [
    { device: "nvme0n1", read: 1200 + 800 * wave, write: 4300 + 900 * wave, busy: 31 + 9 * wave, latency: 1.4 },
    { device: "sda", read: 12.5, write: 0, busy: 0.2, latency: null },
  ],
  interfaces: [
    { name: "eth0", rx: 34 + 12 * wave, tx: 9 + 3 * wave },
    { name: "wg0", rx: 2100 + 400 * wave, tx: 310 },
  ],
  temperatures: [
    { sensor: "coretemp/Package id 0", celsius: 61 + 5 * wave },
    { sensor: "nvme/Composite", celsius: 47.9 },
    { sensor: HOSTILE, celsius: 30 },
  ],
});

/** Samples of a server with a daily load curve. */
const sampleAt = (time: number, now: number, { load, memory = 4.2, data = 402, isRich }: Usage) => {
  const wave = Math.sin((now - time) / (7 * MINUTE));
  const used = { memory: (memory + wave * 0.3) * GIGABYTE, root: 31 * GIGABYTE, data: data * GIGABYTE };
  return {
    at: new Date(time).toISOString(),
    cpu: Math.round((load + 8 * wave) * 10) / 10,
    memory: { total: 15.6 * GIGABYTE, used: Math.round(used.memory) },
    disk: { total: 560 * GIGABYTE, used: used.root + used.data },
    disks: [
      {
        ...{ mount: "/", total: 60 * GIGABYTE, used: used.root },
        ...(isRich && { inodes: { total: 3_932_160, used: 2_910_000 } }),
      },
      { mount: "/srv/data", total: 500 * GIGABYTE, used: used.data },
    ],
    network: { rx: 34 + 12 * wave, tx: 9 + 3 * wave },
    swap: { total: 2 * GIGABYTE, used: 0.1 * GIGABYTE },
    load: [0.42, 0.38, 0.35],
    boot_time: new Date(now - 12 * 24 * 60 * MINUTE).toISOString(),
    // 60 MB received and 15 MB sent a minute.
    ...(isRich && { ...furtherAt(wave), traffic: { boot: "1", interfaces: { eth0: [time * 1000, time * 250] } } }),
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
  const facts = usage.isRich
    ? { ...MACHINE, agent_version: "0.0.9", agent_kind: "executable", agent_platform: "linux-amd64" }
    : {};
  const report = async (count = 1): Promise<void> => {
    const now = Date.now();
    const samples = Array.from({ length: count }, (_, index) =>
      sampleAt(now - (count - 1 - index) * MINUTE, now, usage),
    );
    await send("/api/agents/report", { ...identity, ...facts, interval: 60, samples }, key);
  };
  await report(SAMPLES);
  return { id: agent.id, report };
};

/** Enrolls a server with a history of samples. Returns its id. */
export const addServer = async (origin: string, client: Client, hostname: string, load: number): Promise<number> =>
  (await addReportingServer(origin, client, hostname, { load })).id;
