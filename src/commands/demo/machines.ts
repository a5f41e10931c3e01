import { systemClock } from "../../lib/time";
import type { Sample } from "../../shared/agents/report";
import { DAY, MINUTE } from "../../shared/limits";
import type { Machine } from "./inventory";

const GIGABYTE = 1024 ** 3;
const MEGABYTE = 1024 ** 2;

/** The length of the past that a server has figures of, and the time between them. */
const PAST = DAY;
const STEP = 5 * MINUTE;

/** The figures of a machine at a time: a daily curve, with quicker changes. */
const sampleAt = (at: number, now: number, machine: Machine): Sample => {
  const day = Math.sin((at / DAY) * 2 * Math.PI);
  const quick = Math.sin(at / (7 * MINUTE)) + Math.sin(at / (3 * MINUTE)) / 2;
  const data = machine.data - ((machine.growth ?? 0) * (now - at)) / DAY;
  const used = { root: 31 * GIGABYTE, data: Math.round(data * GIGABYTE) };
  const rates = { rx: Math.round(340 + 120 * day + 60 * quick), tx: Math.round(90 + 30 * day + 20 * quick) };
  return {
    at: new Date(at).toISOString(),
    cpu: Math.round((machine.load + 9 * day + 6 * quick) * 10) / 10,
    memory: { total: 16 * GIGABYTE, used: Math.round((machine.memory + 0.4 * day) * GIGABYTE) },
    disk: { total: 560 * GIGABYTE, used: used.root + used.data },
    disks: [
      { mount: "/", total: 60 * GIGABYTE, used: used.root },
      { mount: "/srv/data", total: 500 * GIGABYTE, used: used.data },
    ],
    network: rates,
    interfaces: [{ name: "eth0", ...rates }],
    swap: { total: 2 * GIGABYTE, used: 120 * MEGABYTE },
    load: [machine.load / 20, machine.load / 22, machine.load / 25],
    boot_time: new Date(now - 26 * DAY).toISOString(),
    traffic: { boot: "1", interfaces: { eth0: [Math.round(at / 3), Math.round(at / 11)] } },
  };
};

const CONTAINERS = [
  { name: "shop-web", image: "nginx:1.29", state: "running", health: "healthy", restarts: 0, cpu: 4.2, memory: 38 },
  {
    name: "shop-api",
    image: "shop/api:2026.11",
    state: "running",
    health: "healthy",
    restarts: 2,
    cpu: 31,
    memory: 512,
  },
] as const;

const factsOf = ({ hostname }: Machine) => ({
  processors: 8,
  processes: {
    cpu: [
      { name: hostname.startsWith("database") ? "postgres" : "node", value: 61.5 },
      { name: "nginx", value: 9.1 },
    ],
    memory: [{ name: hostname.startsWith("database") ? "postgres" : "node", value: 3.1 * GIGABYTE }],
  },
  ...(hostname.startsWith("web") && {
    containers: CONTAINERS.map((container) => ({ ...container, memory: container.memory * MEGABYTE })),
    containers_total: CONTAINERS.length,
  }),
});

const identityOf = ({ hostname }: Machine, place: number) => ({
  hostname,
  ip_addresses: [`192.0.2.${place + 10}`, `2001:db8::${place + 10}`],
  os: "Debian GNU/Linux 13 (trixie)",
  version: "6.12.0-amd64",
});

/** Sends a body to the hub, as a machine with this key. */
type Send = (path: string, body: object, key: string) => Promise<unknown>;

/** Enrolls a machine, sends its figures of the last day, and returns its id and a function that sends the present ones. */
export const addMachine = async (send: Send, token: string, machine: Machine, place: number) => {
  const identity = identityOf(machine, place);
  const { agent, key } = (await send(
    "/api/agents/register",
    { ...identity, token, machine_id: machine.hostname },
    "",
  )) as {
    agent: { id: number };
    key: string;
  };
  const report = async (length = 0): Promise<void> => {
    const now = systemClock.now();
    const samples = Array.from({ length: length / STEP + 1 }, (_, index) =>
      sampleAt(now - length + index * STEP, now, machine),
    );
    await send("/api/agents/report", { ...identity, ...factsOf(machine), interval: 60, samples }, key);
  };
  await report(PAST);
  return { id: agent.id, report };
};
