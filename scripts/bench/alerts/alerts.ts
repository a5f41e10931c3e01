import { Database } from "bun:sqlite";
import { join } from "node:path";
import { option, signIn } from "../lib/client";
import { callsOf, enableAlerts, type Received, startFlipping, startProvider } from "../lib/provider";
import { seed } from "../lib/seed";
import { ascending, median, percentile, remove, round, startServer, temporaryDirectory } from "../lib/server";
import { latenessOf } from "../lib/spread";
import { queryOf, readStoredChecks } from "../lib/stored-checks";

const INTERVAL = 60;

const OFF = { ALERT_GROUP_SECONDS: "0", LOG_LEVEL: "error" };

/** Without `provider`, nothing is sent. */
type Load = { monitors: number; provider?: Parameters<typeof startProvider>[0] };

/** All monitors go down within a minute: when their alerts arrive, and the lateness of checks during that time. */
const outage = async ({ monitors, provider: options }: Load) => {
  const dataDir = temporaryDirectory();
  const [provider, targets] = [startProvider(options), startFlipping()];
  await seed(dataDir, { monitors, interval: INTERVAL, urls: [`${targets.origin}/`] });
  const server = await startServer(dataDir, OFF);
  if (options) await enableAlerts(callsOf(server.url, await signIn(server.url)), provider.origin);
  await Bun.sleep(INTERVAL * 1000);
  targets.down.add("all");
  const from = Date.now();
  const yes = () => provider.received.filter(({ status, answeredAt }) => status === 200 && answeredAt !== null).length;
  const deadline = from + INTERVAL * 1000 + (monitors * 1000) / 2 + 60_000;
  const isOver = () => (options ? yes() >= monitors : Date.now() > from + INTERVAL * 2000);
  while (!isOver() && Date.now() < deadline) await Bun.sleep(100);
  const delivered = Date.now();
  await Bun.sleep(1500);
  await server.stop();
  provider.stop();
  targets.stop();
  const db = new Database(join(dataDir, "wakeful.db"), { readonly: true });
  const checks = await readStoredChecks(queryOf(db), { from, until: delivered });
  const events = db.query("select target_name as name, at from events").all() as { name: string; at: number }[];
  const states = db.query("select state, count(*) as count from deliveries group by 1").all();
  db.close();
  remove(dataDir);
  const lateness = latenessOf(INTERVAL);
  const late = ascending(checks.map(({ monitorId, checkedAt }) => lateness(monitorId, checkedAt)));
  const first = Math.min(...provider.received.map(({ at }) => at));
  const pauses = provider.received.filter(({ status }) => status === 429);
  const pause = (options?.pause ?? 0) * 1000;
  // Requests that were in flight when the pause was requested still arrive.
  const broken = pauses.flatMap(({ answeredAt }) =>
    provider.received.filter(({ at }) => answeredAt !== null && at > answeredAt + 250 && at < answeredAt + pause - 50),
  );
  const checked = { checks: checks.length, checks_late_p99_ms: percentile(late, 0.99) };
  if (!options) return { events: events.length, ...checked };
  return {
    events: events.length,
    deliveries: states,
    requests: provider.received.length,
    distinct: new Set(provider.received.map(({ text }) => text)).size,
    first_request_after_ms: first - Math.min(...events.map(({ at }) => at)),
    all_delivered_after_s: round((delivered - from) / 1000),
    ...checked,
    ...(pauses.length > 0 && { pauses: pauses.length, requests_during_a_pause: broken.length }),
  };
};

/** Latency from a change of state to the request at the provider, one at a time. */
const single = async () => {
  const dataDir = temporaryDirectory();
  const [provider, targets] = [startProvider(), startFlipping()];
  await seed(dataDir, { monitors: 1, interval: 86_400, urls: [`${targets.origin}/`] });
  const server = await startServer(dataDir, OFF);
  const call = callsOf(server.url, await signIn(server.url));
  await enableAlerts(call, provider.origin);
  const times: number[] = [];
  for (let change = 0; change < 20; change++) {
    // A manual check is refused for a second after the one before.
    await Bun.sleep(1100);
    if (!targets.down.delete("all")) targets.down.add("all");
    type Answer = { check: { checked_at: string; response_time: number } };
    const { check } = await call<Answer>("POST", "/monitors/1/check");
    // The default retry happens a second later within the same check, and is not part of the alert's latency.
    while (provider.received.length <= change) await Bun.sleep(1);
    times.push((provider.received[change]?.at ?? 0) - Date.parse(check.checked_at) - check.response_time);
  }
  await server.stop();
  provider.stop();
  targets.stop();
  remove(dataDir);
  return { single_median_ms: round(median(times)), single_max_ms: round(ascending(times).at(-1) ?? 0) };
};

/** How long after the first event each channel has the message with all of them, and in how many messages. */
const messagesOf = (received: readonly Received[], monitors: number, firstAt: number) => {
  const byChannel = [...Map.groupBy(received, ({ channel }) => channel).values()];
  const complete = byChannel.map((list) => list.find(({ text }) => text.includes(`${monitors} `))?.at ?? Number.NaN);
  return {
    messages_per_channel: byChannel.map(({ length }) => length),
    complete_after_s: round((Math.max(...complete) - firstAt) / 1000),
    text: byChannel[0]?.[0]?.text.split("\n"),
  };
};

/** `monitors` on one listener go down at once and come back, with three channels and the default grouping time. */
const together = async (monitors: number) => {
  const dataDir = temporaryDirectory();
  const [provider, targets] = [startProvider({ delay: 20 }), startFlipping()];
  await seed(dataDir, { monitors, interval: INTERVAL, urls: [`${targets.origin}/`] });
  const server = await startServer(dataDir, { LOG_LEVEL: "error" });
  await enableAlerts(callsOf(server.url, await signIn(server.url)), provider.origin, 3);
  await Bun.sleep(INTERVAL * 1000);
  const change = async (isDown: boolean) => {
    if (isDown) targets.down.add("all");
    else targets.down.delete("all");
    const from = Date.now();
    provider.received.length = 0;
    await Bun.sleep(INTERVAL * 1000 + 30_000);
    return { from, received: [...provider.received] };
  };
  const [down, up] = [await change(true), await change(false)];
  await server.stop();
  provider.stop();
  targets.stop();
  const db = new Database(join(dataDir, "wakeful.db"), { readonly: true });
  const first = db.query("select min(at) as at from events where at >= ?");
  const firstOf = ({ from }: { from: number }) => (first.get(from) as { at: number }).at;
  const found = {
    down: {
      ...messagesOf(down.received, monitors, down.from),
      first_event_after_s: round((firstOf(down) - down.from) / 1000),
    },
    up: { ...messagesOf(up.received, monitors, up.from), first_event_after_s: round((firstOf(up) - up.from) / 1000) },
  };
  db.close();
  remove(dataDir);
  return found;
};

/**
 * One monitor changes again and again; `--together` monitors change at once; `--monitors` go down within a minute without
 * alerts, with a provider that takes 2 s for each, and with one that asks for pauses.
 */
export const bench = async (args: string[]): Promise<object> => {
  const monitors = option(args, "monitors", 1000);
  return {
    ...(await single()),
    together: await together(option(args, "together", 50)),
    without_alerts: await outage({ monitors }),
    slow_provider: await outage({ monitors, provider: { delay: 2000 } }),
    pausing_provider: await outage({ monitors, provider: { delay: 20, pauseEvery: 50, pause: 3 } }),
  };
};
