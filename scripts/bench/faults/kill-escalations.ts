import type { Database } from "bun:sqlite";
import { until as waitUntil } from "../../smoke/lib/until";
import { callsOf, option, signIn } from "../lib/client";
import { seedFlipping } from "../lib/installation";
import { serve } from "../lib/provider";
import { remove, startServer, temporaryDirectory, withFile } from "../lib/server";

const MONITORS = 120;
/** The steps of the policy and the pause between reminders in seconds. The product counts in minutes. */
const [STEPS, REPEAT] = [[0, 2, 4], 1.5];
const MAX_REMINDERS = 40;
/** Steps that were due for less than this before the outage ended may have found no instance running. */
const RESTART = 3000;
const SECONDS_IN_A_MINUTE = 60;

/** A message as the fake receiver got it. Its key names the delivery. */
type Sent = { key: string; life: number; answered: boolean };

/** A fake receiver of webhooks, whose messages are not limited, so that each delivery is one message. */
const startReceiver = (delay: number) => {
  const sent: Sent[] = [];
  const state = { life: 0 };
  const server = serve(async ({ headers }) => {
    const entry = { key: headers.get("x-wakeful-delivery") ?? "", life: state.life, answered: false };
    sent.push(entry);
    await Bun.sleep(delay);
    entry.answered = true;
    return new Response("ok");
  });
  return { ...server, sent, state };
};

type Call = ReturnType<typeof callsOf>;

/** Makes a channel for each step, and a policy that is shorter than the product allows. */
const enable = async (dataDir: string, call: Call, server: string): Promise<void> => {
  const steps: { afterMinutes: number; channels: number[] }[] = [];
  for (const [step, seconds] of STEPS.entries()) {
    const channel = { name: `step ${step}`, type: "webhook", config: { url: `${server}/${step}` } };
    const { data } = await call<{ data: { id: number } }>("POST", "/notifications/channels", channel);
    steps.push({ afterMinutes: seconds / SECONDS_IN_A_MINUTE, channels: [data.id] });
  }
  const channels = steps[0]?.channels ?? [];
  await call("POST", "/notifications/settings", { target_type: "global-monitor", enabled: true, channels });
  const store = (db: Database) => {
    db.run("pragma busy_timeout = 5000");
    db.run(
      `insert into alert_policies (id, user_id, team_id, name, steps, repeat_minutes, repeat_max, group_seconds, created_at, updated_at)
      select 1, user_id, team_id, 'short', ?, ?, ?, 0, 0, 0 from notification_rules`,
      [JSON.stringify(steps), REPEAT / SECONDS_IN_A_MINUTE, MAX_REMINDERS],
    );
    db.run("update notification_rules set policy_id = 1");
  };
  await withFile(dataDir, store, { write: true });
};

type Row = {
  id: number;
  eventId: number;
  outageId: number;
  purpose: string;
  sequence: number;
  channelId: number;
  state: string;
  createdAt: number;
};
type Outage = { id: number; startedAt: number; endedAt: number | null };

const read = (dataDir: string) =>
  withFile(dataDir, (db) => {
    const rows = db
      .query(
        `select d.id, d.event_id as eventId, e.outage_id as outageId, d.purpose, d.sequence, d.channel_id as channelId, d.state,
        d.created_at as createdAt, e.kind from deliveries as d join events as e on e.id = d.event_id`,
      )
      .all() as (Row & { kind: string })[];
    const outages = db.query("select id, started_at as startedAt, ended_at as endedAt from outages").all() as Outage[];
    const { count } = db.query("select count(*) as count from events where planned_at is null").get() as {
      count: number;
    };
    return { rows, outages, unplanned: count };
  });

type Stored = Awaited<ReturnType<typeof read>>;

/**
 * Missing and unexpected deliveries of an outage: steps, consecutive reminders, and recoveries on every channel that was
 * notified.
 */
const faultsOf = ({ startedAt, endedAt }: Outage, rows: (Row & { kind: string })[], until: number) => {
  const lasted = (endedAt ?? until) - startedAt;
  const opening = rows.filter(({ kind }) => kind === "down");
  const isPlanned = (step: number) => opening.some((row) => row.purpose === "alert" && row.sequence === step);
  const due = STEPS.filter((seconds) => seconds * 1000 + RESTART < lasted);
  const numbers = [...new Set(opening.filter((row) => row.purpose === "reminder").map(({ sequence }) => sequence))];
  const notified = new Set(opening.flatMap((row) => (row.state === "sent" ? [row.channelId] : [])));
  const resolved = new Set(
    rows.flatMap((row) => (row.kind === "recovery" && row.state === "sent" ? [row.channelId] : [])),
  );
  return {
    steps_missing: due.filter((_, step) => !isPlanned(step)).length,
    steps_early: opening.filter(
      (row) => row.purpose === "alert" && row.createdAt < startedAt + (STEPS[row.sequence] ?? 0) * 1000,
    ).length,
    reminders_missing: numbers.filter((number) => number > 1 && !numbers.includes(number - 1)).length,
    reminders_after_the_end: opening.filter(
      (row) => row.purpose === "reminder" && row.createdAt > (endedAt ?? until) + RESTART,
    ).length,
    recoveries_missing: endedAt === null ? 0 : notified.difference(resolved).size,
    recoveries_without_alert: resolved.difference(notified).size,
  };
};

/** Compares what the receiver got with the stored deliveries. */
const audit = ({ rows, outages, unplanned }: Stored, sent: readonly Sent[], until: number) => {
  const copies = Map.groupBy(sent, ({ key }) => key);
  const rowByKey = new Map(rows.map((row) => [`wakeful-${row.eventId}-${row.id}-${row.createdAt}`, row]));
  const isOver = rows.filter(({ state }) => state === "pending" || state === "failed");
  const lost = [...rowByKey].filter(
    ([key, row]) => row.state === "sent" && !copies.get(key)?.some(({ answered }) => answered),
  );
  const again = [...copies.values()].filter(({ length }) => length > 1);
  const faults: Record<string, number> = {};
  for (const outage of outages) {
    const own = rows.filter(({ outageId }) => outageId === outage.id);
    for (const [name, count] of Object.entries(faultsOf(outage, own, until)))
      faults[name] = (faults[name] ?? 0) + count;
  }
  const countOf = (purpose: string, kind: string) =>
    rows.filter((row) => row.purpose === purpose && row.kind === kind && row.state === "sent").length;
  return {
    outages: outages.length,
    sent: {
      alerts: countOf("alert", "down"),
      reminders: countOf("reminder", "down"),
      recoveries: countOf("alert", "recovery"),
    },
    withheld: rows.filter(({ state }) => state === "withheld").length,
    twice: again.length,
    losses: {
      unplanned,
      not_over: isOver.length,
      marked_sent_but_not_received: lost.length,
      unknown_messages: [...copies.keys()].filter((key) => !rowByKey.has(key)).length,
      twice_without_a_kill_between: again.filter((list) =>
        list.some(({ life }, index) => index > 0 && life <= (list[index - 1]?.life ?? -1)),
      ).length,
      ...faults,
    },
  };
};

/** Kills the hub `--kills` times while outages are escalated and repeated, and looks for lost and duplicate messages. */
export const bench = async (args: string[]) => {
  const kills = option(args, "kills", 200);
  const dataDir = temporaryDirectory();
  const [provider, targets] = [startReceiver(30), await seedFlipping(dataDir, MONITORS)];
  const env = { ALERT_GROUP_SECONDS: "0", LOG_LEVEL: "error" };
  // Each monitor goes down and recovers once: more changes within half an hour would not be sent one by one.
  const goDown = Array.from({ length: MONITORS }, (_, index) => index + 1);
  const recover: number[] = [];
  const change = async (call: Call, id: number): Promise<void> => {
    await call("POST", `/monitors/${id}/check`).catch(() => {});
  };
  for (let life = 0; life < kills; life++) {
    provider.state.life = life;
    const server = await startServer(dataDir, env);
    const call = callsOf(server.url, await signIn(server.url));
    if (life === 0) await enable(dataDir, call, provider.origin);
    const share = Math.ceil((goDown.length + recover.length) / Math.max(1, (kills - life) / 2));
    const changes = Array.from({ length: share }, async () => {
      const down = recover.length < 20 || Math.random() < 0.4 ? goDown.pop() : undefined;
      const id = down ?? recover.shift();
      if (id === undefined) return;
      if (down === undefined) targets.down.delete(`/${id}`);
      else {
        targets.down.add(`/${id}`);
        recover.push(id);
      }
      await change(call, id);
    });
    await Bun.sleep(50 + Math.random() * 850);
    await server.kill();
    await Promise.allSettled(changes);
  }
  provider.state.life = kills;
  const server = await startServer(dataDir, env);
  await Bun.sleep(RESTART);
  const until = Date.now();
  const call = callsOf(server.url, await signIn(server.url));
  targets.down.clear();
  for (let id = 1; id <= MONITORS; id++) await change(call, id);
  const isOver = ({ rows, outages, unplanned }: Stored): boolean =>
    unplanned === 0 &&
    outages.every(({ endedAt }) => endedAt !== null) &&
    rows.every(({ state }) => state !== "pending");
  await waitUntil("the last deliveries", async () => isOver(await read(dataDir)), 120_000);
  await server.stop();
  provider.stop();
  targets.stop();
  const result = audit(await read(dataDir), provider.sent, until);
  remove(dataDir);
  return { kills, ...result };
};
