import { join } from "node:path";
import { DAY, HOUR, MINUTE } from "../../../src/shared/limits";
import { freePort } from "../../smoke/lib/free-port";
import { installConsole, joinAs, monitorOf, startConsole } from "../../smoke/lib/hub";
import { startNginx } from "../../smoke/lib/nginx";
import { until } from "../../smoke/lib/until";
import { writeHistory } from "./history";
import { addReportingServer } from "./servers";

const NAMES = [
  ["Payments API", "Website", "Search", "Sign-in", "Documentation", "Warehouse", "Checkout", "Invoices", "Image CDN"],
  ["Mobile API", "Push notifications", "Webhooks", "Reports", "Stock levels", "Mail delivery", "Partner API"],
].flat();
const SERVERS = [
  { name: "web-1", load: 22, memory: 5.6, data: 120, isRich: true },
  { name: "web-2", load: 26, memory: 5.9, data: 124 },
  { name: "database-1", load: 61, memory: 11.2, data: 402 },
  { name: "database-2", load: 18, memory: 10.8, data: 398 },
  { name: "build-1", load: 44, memory: 7.1, data: 210 },
];

/**
 * A hub with a month of history: most monitors are up, two are down, one is paused, the ping of one may have been lost, and
 * the servers report. For a while nothing could be known.
 */
export const startSeeded = async () => {
  const installation = installConsole();
  const port = freePort();
  const target = await startNginx(
    port,
    `server { listen 127.0.0.1:${port}; location / { return 200 fine; } location /search { return 503; } location /mail { return 502; } }`,
  );
  const outside = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const first = await startConsole(installation);
  const alice = await joinAs(first, "alice");
  for (const name of NAMES) {
    const path = name.toLowerCase().replaceAll(/\W+/g, "-");
    await alice.post("/api/monitors", { ...monitorOf(`http://localhost:${port}/${path}`, name), retries: 0 });
  }
  const { monitors } = (await alice.get("/api/monitors")).body;
  const { id: heartbeat } = (
    await alice.post("/api/monitors", {
      name: "Nightly backup",
      kind: "heartbeat",
      config: { every: 86_400, grace: 600 },
    })
  ).body.monitor;
  const idOf = (name: string) => monitors.find((monitor) => monitor.name === name)?.id ?? 0;
  await first.stop();
  await writeHistory(
    join(installation.folder, "data"),
    monitors.map(({ id }) => id),
    heartbeat,
  );

  const running = await startConsole(installation, { CONNECTIVITY_TARGET: `127.0.0.1:${outside.port}` });
  const { signedIn } = alice;
  const client = running.as(signedIn.token);
  for (const { id } of monitors) await client.post(`/api/monitors/${id}/check`);
  await client.post(`/api/monitors/${idOf("Warehouse")}/pause`);
  await until("two monitors are down", async () => (await client.get("/api/monitors")).body.counts.down === 2);
  const servers = await Promise.all(
    SERVERS.map(({ name, ...usage }) => addReportingServer(running.origin, client, name, usage)),
  );
  let reported = performance.now();
  const [server] = servers as [(typeof servers)[number]];
  await client.post("/api/thresholds", { scope: "all", metric: "load", threshold: 2, minutes: 10 });
  await client.post("/api/thresholds", {
    ...{ scope: "agent", agent_id: server.id, metric: "disk", subject: "/srv/data", threshold: 95, minutes: 90 },
  });
  const tomorrow = new Date(Date.now() + DAY).toISOString();
  await client.post("/api/windows", {
    ...{ title: "Database upgrade", monitors: [idOf("Search")], tags: ["db"], counted: true },
    schedule: { kind: "once", from: tomorrow, to: new Date(Date.now() + DAY + HOUR).toISOString() },
  });
  await client.post("/api/status/config", {
    title: "Northwind status",
    description: "The state of our shop, payments and open interfaces.",
    logoUrl: "",
    customCss: "",
    monitors: monitors.slice(0, 6).map(({ id }) => id),
    agents: servers.slice(0, 2).map(({ id }) => id),
  });
  const [page] = (await client.get("/api/incidents")).body.pages;
  const incident = await client.post("/api/incidents", {
    ...{ title: "Orders are confirmed late", impact: "minor", body: "Mail is **delayed** by up to an hour." },
    components: (page?.components ?? []).slice(2, 3).map(({ id }) => ({ id, status: "degraded_performance" })),
  });
  await client.post(`/api/incidents/${incident.body.incident.id}/updates`, {
    status: "monitoring",
    body: "Mail goes out again.",
  });
  const [outage] = (await client.get(`/api/outages?target=monitor:${idOf("Search")}&open=1`)).body.outages;
  return {
    origin: running.origin,
    outage: outage?.id ?? 0,
    signedIn,
    up: idOf("Payments API"),
    down: idOf("Search"),
    heartbeat,
    server: server.id,
    /** Takes the hub its network, so that nothing can be known from then on. */
    loseNetwork: async () => {
      outside.stop(true);
      await until("the hub knows nothing", async () => {
        await client.post(`/api/monitors/${idOf("Search")}/check`);
        return (await client.get("/api/dashboard")).body.unknown;
      });
    },
    /** Lets no check be due for a day. Servers that are not told to report send nothing by themselves. */
    standStill: async () => {
      const ids = monitors.map(({ id }) => id);
      const set = { interval: 86_400, quick_recheck: false };
      const { status, text } = await client.post("/api/monitors/bulk", { ids, set });
      if (status !== 200) throw new Error(`the monitors were not changed: ${text}`);
    },
    /** Sends a report of each server once a minute, so that none is offline however long the tests take. */
    report: async () => {
      if (performance.now() - reported < MINUTE) return;
      reported = performance.now();
      await Promise.all(servers.map(({ report }) => report()));
    },
    stop: async () => {
      await running.stop();
      outside.stop(true);
      await target.stop();
      installation.remove();
    },
  };
};
