import type { Database } from "bun:sqlite";
import { until as waitUntil } from "../../smoke/lib/until";
import { callsOf, option, signIn } from "../lib/client";
import { seedFlipping } from "../lib/installation";
import { serve } from "../lib/provider";
import { remove, startServer, temporaryDirectory, withFile } from "../lib/server";

/** Milliseconds of the shortest and the longest window. The product counts in minutes. */
const [SHORTEST, LONGEST] = [500, 6000];
/** How long after a window its alert may be planned: an instance has to be running. */
const RESTART = 5000;

type Window = { monitor: number; from: number; to: number };
type Outage = { id: number; monitor: number; startedAt: number; endedAt: number | null };
type Delivery = { outageId: number; kind: string; state: string; createdAt: number };

/** Stores a window around now for each of these monitors. */
const addWindows = (db: Database, monitors: readonly number[]): Window[] => {
  db.run("pragma busy_timeout = 5000");
  return monitors.map((monitor) => {
    const from = Date.now() + Math.round(Math.random() * 800) - 200;
    const to = from + Math.round(SHORTEST + Math.random() * (LONGEST - SHORTEST));
    const targets = { all: false, monitors: [monitor], agents: [], tags: [] };
    db.run(
      `insert into maintenance_windows
        (user_id, team_id, title, targets, schedule, counted, valid_from, over_at, ends, created_at, updated_at)
        select user_id, team_id, '', ?, ?, 0, 0, ?, '[]', 0, 0 from monitors where id = ?`,
      [JSON.stringify(targets), JSON.stringify({ kind: "once", from, to }), to, monitor],
    );
    return { monitor, from, to };
  });
};

const read = (dataDir: string) =>
  withFile(dataDir, (db) => ({
    outages: db
      .query("select id, target_id as monitor, started_at as startedAt, ended_at as endedAt from outages")
      .all() as Outage[],
    deliveries: db
      .query(
        `select e.outage_id as outageId, e.kind, d.state, d.created_at as createdAt
          from deliveries as d join events as e on e.id = d.event_id`,
      )
      .all() as Delivery[],
    waiting: (
      db
        .query(
          `select (select count(*) from events where planned_at is null) + (select count(*) from maintenance_holds)
            + (select count(*) from deliveries where state = 'pending') as count`,
        )
        .get() as { count: number }
    ).count,
  }));

/** The faults of the messages of an outage, by the windows of its monitor. */
const faultsOf = ({ startedAt, endedAt }: Outage, windows: readonly Window[], sent: readonly Delivery[]) => {
  const within = (time: number) => windows.find(({ from, to }) => time >= from && time < to);
  const alerts = sent.filter(({ kind }) => kind === "down");
  const last = endedAt ?? Number.POSITIVE_INFINITY;
  const window = within(startedAt);
  const [mustAlert, mayAlert] = [last > (window?.to ?? startedAt) + RESTART, window === undefined || last > window.to];
  return {
    inside: sent.filter(({ createdAt }) => within(createdAt) !== undefined).length,
    alerts_missing: mustAlert && alerts.length === 0 ? 1 : 0,
    alerts_twice: Math.max(0, alerts.length - 1),
    alerts_of_what_is_over: mayAlert ? 0 : alerts.length,
    recoveries_without_alert: alerts.length === 0 ? sent.length : 0,
  };
};

/** Kills the hub `--kills` times around the starts and ends of windows, while monitors go down and recover. */
export const bench = async (args: string[]) => {
  const kills = option(args, "kills", 100);
  const monitors = kills * 2;
  const dataDir = temporaryDirectory();
  const [provider, targets] = [serve(() => new Response("ok")), await seedFlipping(dataDir, monitors)];
  const env = { ALERT_GROUP_SECONDS: "0", LOG_LEVEL: "error" };
  const windows: Window[] = [];
  for (let life = 0; life < kills; life++) {
    const own = [2 * life + 1, 2 * life + 2];
    const server = await startServer(dataDir, env);
    const call = callsOf(server.url, await signIn(server.url));
    if (life === 0) {
      const channel = { name: "webhook", type: "webhook", config: { url: provider.origin } };
      const { data } = await call<{ data: { id: number } }>("POST", "/notifications/channels", channel);
      await call("POST", "/notifications/settings", {
        ...{ target_type: "global-monitor", enabled: true, channels: [data.id] },
      });
    }
    windows.push(...(await withFile(dataDir, (db) => addWindows(db, own), { write: true })));
    const change = async (id: number, isDown: boolean) => {
      if (isDown) targets.down.add(`/${id}`);
      else targets.down.delete(`/${id}`);
      await call("POST", `/monitors/${id}/check`).catch(() => {});
    };
    const changes = own.map(async (id) => {
      await Bun.sleep(Math.random() * 800);
      await change(id, true);
      await Bun.sleep(Math.random() * 1000);
      if (id % 2 === 0) await change(id, false);
    });
    await Bun.sleep(100 + Math.random() * 2500);
    await server.kill();
    await Promise.allSettled(changes);
  }
  const server = await startServer(dataDir, env);
  const call = callsOf(server.url, await signIn(server.url));
  await Bun.sleep(LONGEST + RESTART);
  targets.down.clear();
  for (let id = 1; id <= monitors; id++) await call("POST", `/monitors/${id}/check`).catch(() => {});
  const isOver = async () => {
    const { outages, waiting } = await read(dataDir);
    return waiting === 0 && outages.every(({ endedAt }) => endedAt !== null);
  };
  await waitUntil("the last deliveries", isOver, 120_000);
  await server.stop();
  provider.stop();
  targets.stop();
  const { outages, deliveries } = await read(dataDir);
  remove(dataDir);
  const losses: Record<string, number> = {};
  for (const outage of outages) {
    const own = windows.filter(({ monitor }) => monitor === outage.monitor);
    const sent = deliveries.filter(({ outageId, state }) => outageId === outage.id && state === "sent");
    for (const [name, count] of Object.entries(faultsOf(outage, own, sent))) losses[name] = (losses[name] ?? 0) + count;
  }
  const sent = deliveries.filter(({ state }) => state === "sent").length;
  return { kills, windows: windows.length, outages: outages.length, sent, withheld: deliveries.length - sent, losses };
};
