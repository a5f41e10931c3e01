import { join } from "node:path";
import { installConsole, joinAs, monitorOf, PASSWORD, startConsole } from "../../smoke/lib/hub";
import { freePort, startNginx } from "../../smoke/lib/nginx";
import { until } from "../../smoke/lib/until";
import { writeHistory } from "./history";
import { addServer } from "./servers";

const NAMES = ["Payments API", "Website", "Search", "Sign-in", "Documentation", "Warehouse"];

/** A hub with a month of history: most monitors are up, one is down, one is paused, and two servers report. */
export const startSeeded = async () => {
  const installation = installConsole();
  const port = freePort();
  const target = await startNginx(
    port,
    `server { listen 127.0.0.1:${port}; location / { return 200 fine; } location /search { return 503; } }`,
  );
  const first = await startConsole(installation);
  const alice = await joinAs(first, "alice");
  for (const name of NAMES) {
    const path = name.toLowerCase().replaceAll(/\W+/g, "-");
    await alice.post("/api/monitors", { ...monitorOf(`http://localhost:${port}/${path}`, name), retries: 0 });
  }
  const { monitors } = (await alice.get("/api/monitors")).body;
  const idOf = (name: string) => monitors.find((monitor) => monitor.name === name)?.id ?? 0;
  await first.stop();
  await writeHistory(
    join(installation.folder, "data"),
    monitors.map(({ id }) => id),
  );

  const running = await startConsole(installation);
  const { token, user } = (await running.as().post("/api/auth/login", { username: "alice", password: PASSWORD })).body;
  const client = running.as(token);
  for (const { id } of monitors) await client.post(`/api/monitors/${id}/check`);
  await client.post(`/api/monitors/${idOf("Warehouse")}/pause`);
  await until("one monitor is down", async () => (await client.get("/api/monitors")).body.counts.down === 1);
  const server = await addServer(running.origin, client, "web-1", 22);
  await addServer(running.origin, client, "database-1", 61);
  return {
    origin: running.origin,
    signedIn: { token, user },
    up: idOf("Payments API"),
    down: idOf("Search"),
    server,
    stop: async () => {
      await running.stop();
      await target.stop();
      installation.remove();
    },
  };
};
