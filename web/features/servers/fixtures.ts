import { fakeServer, screen } from "../../testing/test-page";
import type { Server } from "./api";

export const gigabyte = 1024 ** 3;

export const agent = (change: Partial<Server>): Server => ({
  id: 1,
  name: "Web server",
  hostname: "web-1",
  ip_addresses: ["192.0.2.10", "10.0.0.10", "2001:db8::10"],
  os: "Debian GNU/Linux 12",
  version: "6.1.0",
  status: "active",
  since: null,
  unknown: null,
  open_outages: 0,
  muted: null,
  maintenance: null,
  tags: [],
  cpu_usage: 25.8,
  memory_total: 16 * gigabyte,
  memory_used: 4 * gigabyte,
  disk_total: 100 * gigabyte,
  disk_used: 80 * gigabyte,
  network_rx: 1536,
  network_tx: 20.5,
  load_average: [0.4, 0.35, 0.3],
  boot_time: null,
  temperature: null,
  agent_version: null,
  update_available: false,
  interval: 60,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-02T02:03:04.000Z",
  traffic: null,
  plan: null,
  disk_forecast: null,
  ...change,
});

/** The API's answer with a list of agents. */
export const list = (...agents: Server[]) =>
  Response.json({
    success: true,
    total: agents.length,
    counts: { all: agents.length, active: 0, inactive: 0, connecting: 0 },
    agents,
  });

/** The fields of a server's detail where its agent reports none of them, and nothing happened. */
export const bare = {
  ...{
    disks: null,
    disk_forecasts: [],
    swap: null,
    unreadable_disks: [],
    disk_activity: null,
    arrays: null,
    cpu_parts: null,
  },
  ...{ interfaces: null, temperatures: null, processors: null, processes: null, failed_units: null },
  ...{ containers: null, containers_total: null, gpus: null, reboot_required: null },
  ...{ agent_kind: null, agent_platform: null, clock_offset: null, series: [], unrecorded: [], outages: [] },
  ...{ thresholds: { cpu: null, memory: null, disk: null }, own_thresholds: [] },
};

/** Answers every call about one agent. */
export const detail = (change: object) =>
  fakeServer.answer((_request, path) => {
    if (path.endsWith("/thresholds")) return Response.json({ success: true, thresholds: [] });
    // The Alerts tab is not rendered without an answer.
    if (path.endsWith("/alerts")) return new Promise<Response>(() => {});
    if (path.endsWith("/metrics"))
      return Response.json({ success: true, points: [], series: [], gaps: [], maintenance: [] });
    return Response.json({ success: true, agent: { ...agent({}), ...bare, ...change } });
  });

export const refusal = (status: number, code: string) =>
  Response.json({ success: false, code, message: "" }, { status });

/** The bar of a resource. */
export const bar = (name: string) => screen.getByRole("img", { name: new RegExp(`^${name}: `) });
