import { isoTime } from "../../../src/lib/time";
import type { Report, Sample } from "../../../src/shared/agents/report";

/** A number that differs between agents and rounds, from zero to below `most`. */
const vary = (agent: number, round: number, most: number): number => (agent * 7919 + round * 31) % most;

const list = <T>(length: number, item: (index: number) => T): T[] => Array.from({ length }, (_, index) => item(index));

/** A sample of an agent with every option: ten containers, three disks, two interfaces and six sensors. */
const wideFigures = (agent: number, round: number): Partial<Sample> => ({
  disks: ["/", "/srv", "/home"].map((mount) => ({
    mount,
    total: 4e10,
    used: 2e10 + round * 4096,
    inodes: { total: 6_553_600, used: 412_000 + round },
  })),
  load: [vary(agent, round, 400) / 100, 0.4, 0.3],
  cpu_parts: { user: 9.5, system: 2.5, iowait: vary(agent, round, 300) / 100, steal: 0.02 },
  disk_activity: ["nvme0n1", "sda", "md0"].map((device, index) => ({
    device,
    read: vary(agent, round + index, 9000) / 10,
    write: vary(agent, round + index, 50_000) / 10,
    busy: vary(agent, round + index, 1000) / 100,
    latency: vary(agent, round + index, 300) / 100,
  })),
  interfaces: ["eth0", "eth1"].map((name, index) => ({
    name,
    rx: vary(agent, round + index, 90_000) / 10,
    tx: vary(agent, round + index, 40_000) / 10,
  })),
  temperatures: list(6, (index) => ({
    sensor: `coretemp/Core ${index}`,
    celsius: 40 + vary(agent, round + index, 20),
  })),
  traffic: {
    boot: "0a1b2c3d",
    interfaces: {
      eth0: [1e9 + round * 540_000, 4e8 + round * 120_000],
      eth1: [5e8 + round * 9000, 2e8 + round * 8000],
    },
  },
});

const wideFacts = (agent: number, round: number): Partial<Report> => ({
  processors: 8,
  processes: {
    cpu: ["postgres", "node", "nginx", "redis-server", "wakeful"].map((name, index) => ({
      name,
      value: vary(agent, round + index, 1000) / 10,
    })),
    memory: ["postgres", "node", "redis-server", "nginx", "dockerd"].map((name, index) => ({
      name,
      value: 1e9 - index * 1e8 + vary(agent, round, 1000) * 4096,
    })),
  },
  failed_units: [],
  containers: list(10, (index) => ({
    name: `shop-service-${index}`,
    image: `registry.example.com/shop/service-${index}:1.27.3`,
    state: "running",
    health: "healthy",
    restarts: 0,
    cpu: vary(agent, round + index, 500) / 10,
    memory: 2e8 + vary(agent, round + index, 1000) * 4096,
  })),
  arrays: [{ name: "md0", kind: "md", state: "active", degraded: false }],
  reboot_required: false,
  agent_version: "1.4.2",
  agent_kind: "executable",
  agent_platform: "linux-amd64",
});

/** The report of an agent: one sample with what each agent sends, or with everything. */
export const reportBody = (hostname: string, agent: number, round: number, wide: boolean): Report => ({
  interval: 60,
  hostname,
  ip_addresses: ["10.0.0.5", "fd00::5"],
  os: "Debian GNU/Linux 12 (bookworm)",
  version: "6.1.0",
  samples: [
    {
      at: isoTime(Date.now()),
      cpu: ((agent * 31 + round) % 1000) / 10,
      memory: { total: 16e9, used: 4e9 + vary(agent, round, 1000) * 1e6 },
      disk: { total: 1e11, used: 5e10 },
      disks: [
        { mount: "/", total: 4e10, used: 2e10 },
        { mount: "/srv", total: 6e10, used: 3e10 },
      ],
      network: { rx: 12.5, tx: 3.25 },
      swap: { total: 2e9, used: 0 },
      load: [0.5, 0.4, 0.3],
      boot_time: "2026-01-01T00:00:00.000Z",
      ...(wide && wideFigures(agent, round)),
    },
  ],
  ...(wide && wideFacts(agent, round)),
});

/** A report with small samples of some times. */
export const smallReport = (times: number[]) => {
  const usage = { total: 1000, used: 400 };
  const samples = times.map((at) => ({ at: isoTime(at), cpu: 10, memory: usage, disk: usage, network: null }));
  return { interval: 60, hostname: "web-1", ip_addresses: ["192.0.2.7"], os: "Debian", version: "6.1", samples };
};
