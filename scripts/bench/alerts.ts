import { callsOf, option, signIn } from "./lib/client";
import { enableAlerts, type Received, startFlipping, startProvider } from "./lib/provider";
import { latenessOf, seed } from "./lib/seed";
import { ascending, median, type Running, round, summarize, withFile, withHub } from "./lib/server";
import { queryOf, readStoredChecks } from "./lib/stored-checks";

const INTERVAL = 60;

/** Alerts are sent one by one, also of a target that changes often. */
const UNGROUPED = { ALERT_GROUP_SECONDS: "0", ALERT_FLAP_CHANGES: "0" };

type Setup = { monitors: number; interval?: number; channels: number; provider?: Parameters<typeof startProvider>[0] };
type World = {
  hub: Running & { dataDir: string };
  call: ReturnType<typeof callsOf>;
  provider: ReturnType<typeof startProvider>;
  down: Set<string>;
};

/** Runs `measure` with a hub whose monitors share a target that can be set down, and whose alerts go to a fake provider. */
const withProvider = <T>(
  { monitors, interval = INTERVAL, channels, provider: options }: Setup,
  env: Record<string, string>,
  measure: (world: World) => Promise<T>,
): Promise<T> => {
  const [provider, targets] = [startProvider(options), startFlipping()];
  return withHub(
    (dataDir) => seed(dataDir, { monitors, interval, urls: [`${targets.origin}/`] }),
    async (hub) => {
      const call = callsOf(hub.url, await signIn(hub.url));
      if (channels > 0) await enableAlerts(call, provider.origin, channels);
      return measure({ hub, call, provider, down: targets.down });
    },
    { LOG_LEVEL: "error", ...env },
  ).finally(() => {
    provider.stop();
    targets.stop();
  });
};

/** All monitors go down within a minute: when their alerts arrive, if any are sent, and the lateness of checks during it. */
const outage = (monitors: number, options?: Setup["provider"]) =>
  withProvider({ monitors, channels: options ? 1 : 0, provider: options }, UNGROUPED, async (world) => {
    const { hub, provider, down } = world;
    await Bun.sleep(INTERVAL * 1000);
    down.add("all");
    const from = Date.now();
    const accepted = () =>
      provider.received.filter(({ status, answeredAt }) => status === 200 && answeredAt !== null).length;
    const deadline = from + INTERVAL * 1000 + (monitors * 1000) / 2 + 60_000;
    const isOver = () => (options ? accepted() >= monitors : Date.now() > from + INTERVAL * 2000);
    while (!isOver() && Date.now() < deadline) await Bun.sleep(100);
    const until = Date.now();
    await Bun.sleep(1500);
    await hub.stop();
    const { checks, events, deliveries } = await withFile(hub.dataDir, async (db) => ({
      checks: await readStoredChecks(queryOf(db), { from, until }),
      events: db.query("select at from events").all() as { at: number }[],
      deliveries: db.query("select state, count(*) as count from deliveries group by 1").all(),
    }));
    const lateness = latenessOf(INTERVAL);
    const late = checks.map(({ monitorId, checkedAt }) => lateness(monitorId, checkedAt));
    const checked = { events: events.length, checks: checks.length, ...summarize("checks_late_", late) };
    if (!options) return checked;
    const first = Math.min(...provider.received.map(({ at }) => at));
    const pauses = provider.received.filter(({ status }) => status === 429);
    const pause = (options.pause ?? 0) * 1000;
    // Requests that were in flight when the pause was requested still arrive.
    const early = pauses.flatMap(({ answeredAt }) =>
      provider.received.filter(
        ({ at }) => answeredAt !== null && at > answeredAt + 250 && at < answeredAt + pause - 50,
      ),
    );
    return {
      ...checked,
      deliveries,
      requests: provider.received.length,
      distinct: new Set(provider.received.map(({ text }) => text)).size,
      first_request_after_ms: first - Math.min(...events.map(({ at }) => at)),
      all_delivered_after_s: round((until - from) / 1000),
      ...(pauses.length > 0 && { pauses: pauses.length, requests_during_a_pause: early.length }),
    };
  });

/** Latency from a change of state to the request at the provider, one at a time. */
const single = () =>
  withProvider({ monitors: 1, interval: 86_400, channels: 1 }, UNGROUPED, async ({ call, provider, down }) => {
    const times: number[] = [];
    for (let change = 0; change < 20; change++) {
      // A monitor refuses a second manual check within a second.
      await Bun.sleep(1100);
      if (!down.delete("all")) down.add("all");
      type Answer = { check: { checked_at: string; response_time: number } };
      const { check } = await call<Answer>("POST", "/monitors/1/check");
      // The default retry happens a second later within the same check, and is not part of the alert's latency.
      while (provider.received.length <= change) await Bun.sleep(1);
      times.push((provider.received[change]?.at ?? 0) - Date.parse(check.checked_at) - check.response_time);
    }
    return { single_median_ms: round(median(times)), single_max_ms: round(ascending(times).at(-1) ?? 0) };
  });

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
const together = (monitors: number) =>
  withProvider({ monitors, channels: 3, provider: { delay: 20 } }, {}, async ({ hub, provider, down }) => {
    await Bun.sleep(INTERVAL * 1000);
    const change = async (isDown: boolean) => {
      if (isDown) down.add("all");
      else down.delete("all");
      const from = Date.now();
      provider.received.length = 0;
      await Bun.sleep(INTERVAL * 1000 + 30_000);
      const firstEvent = "select min(at) as at from events where at >= ?";
      const first = await withFile(hub.dataDir, (db) => db.query(firstEvent).get(from) as { at: number });
      return {
        ...messagesOf(provider.received, monitors, from),
        first_event_after_s: round((first.at - from) / 1000),
      };
    };
    return { down: await change(true), up: await change(false) };
  });

/**
 * Latency of single alerts; `--together` monitors that change at once; and `--monitors` that go down within a minute: without
 * alerts, with a provider that takes 2 s for each, and with a provider that asks for pauses.
 */
export const bench = async (args: string[]): Promise<object> => {
  const monitors = option(args, "monitors", 1000);
  return {
    ...(await single()),
    together: await together(option(args, "together", 50)),
    without_alerts: await outage(monitors),
    slow_provider: await outage(monitors, { delay: 2000 }),
    pausing_provider: await outage(monitors, { delay: 20, pauseEvery: 50, pause: 3 }),
  };
};
