import { describe, expect, it } from "bun:test";
import type { events } from "../../../db/schema";
import { DEFAULT_RULE, EVENT_KINDS, type EventKind, type NotificationRule } from "../../../shared/notifications";
import { START } from "../../../testing/clock";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  readDeliveries,
  readEvents,
  recordDown,
  recover,
  runDeliveries,
  saveRule,
} from "../../../testing/fixtures/alerts";
import { effective } from "../rules/service";
import { createDelivery } from "./deliver";
import { type PlanContext, type Suppressor, suppressors } from "./suppressors";

const CHANNEL = { id: 1, name: "chat", type: "telegram", enabled: true };

const ruleWith = (changes: Partial<NotificationRule>) => ({
  ...DEFAULT_RULE,
  enabled: true,
  channels: [1],
  ...changes,
});
const reasonOf = (kind: EventKind, rule: NotificationRule, channel: PlanContext["channel"] = CHANNEL) => {
  const event = { kind } as typeof events.$inferSelect;
  const reasons = suppressors.map(({ reason }) =>
    reason(event, { rule, channel, muted: false, withheld: null, now: START }),
  );
  return reasons.find((reason) => reason !== null) ?? null;
};
/** Kinds without a switch in a rule: their events come from a user's threshold, or are about the hub itself. */
const isOwn = (kind: EventKind) => /^(swap|load|temperature|hub)_/.test(kind);
const sentKinds = (rule: NotificationRule) =>
  EVENT_KINDS.filter((kind) => !isOwn(kind) && reasonOf(kind, rule) === null);

describe("a notification rule", () => {
  const cases: [string, Partial<NotificationRule>, EventKind[]][] = [
    ["nothing while it is disabled", { enabled: false, events: ["cpu"] }, []],
    [
      "changes of state, slow answers and certificates by default",
      { events: DEFAULT_RULE.events.filter((group) => group !== "problem" && group !== "plan") },
      ["down", "recovery", "slow", "slow_normal", "cert_expiring", "cert_renewed", "offline", "online"],
    ],
    [
      "parts of servers that do not work",
      { events: ["problem"] },
      ["container_failed", "service_failed", "array_degraded", "key_shared", "disk_filling"],
    ],
    [
      "traffic and contracts, and that they are well again",
      { events: ["plan", "recovery"] },
      ["recovery", "online", "traffic_high", "traffic_normal", "contract_ending", "contract_renewed"],
    ],
    ["only slow answers", { events: ["slow"] }, ["slow"]],
    [
      "expiring certificates and their renewals",
      { events: ["recovery", "certificate"] },
      ["recovery", "cert_expiring", "cert_renewed", "online"],
    ],
    ["only down events", { events: ["down"] }, ["down"]],
    ["only offline events", { events: ["offline"] }, ["offline"]],
    ["recoveries", { events: ["recovery"] }, ["recovery", "online"]],
    ["crossed thresholds alone", { events: ["cpu", "disk"] }, ["cpu_high", "disk_high"]],
    [
      "crossed thresholds and their recoveries",
      { events: ["recovery", "memory"] },
      ["recovery", "online", "memory_high", "memory_normal"],
    ],
  ];
  it.each(cases)("sends %s", (_, changes, kinds) => expect(sentKinds(ruleWith(changes))).toEqual(kinds));

  it("sends alerts of every threshold that a user set, regardless of its own switches", () => {
    const reason = (kind: EventKind, rule: NotificationRule) =>
      suppressors
        .map((one) =>
          one.reason({ kind, facts: { threshold_id: 1 } } as typeof events.$inferSelect, {
            ...{ rule, channel: CHANNEL, muted: false, withheld: null, now: START },
          }),
        )
        .find((found) => found !== null) ?? null;
    const kinds: EventKind[] = ["cpu_high", "disk_high", "swap_high", "cpu_normal", "temperature_normal"];
    expect(kinds.map((kind) => reason(kind, ruleWith({ events: [] })))).toEqual([
      null,
      null,
      null,
      "not_selected",
      "not_selected",
    ]);
    expect(kinds.map((kind) => reason(kind, ruleWith({ events: ["recovery"] })))).toEqual(kinds.map(() => null));
    expect(reason("cpu_high", ruleWith({ enabled: false }))).toBe("rule_disabled");
  });

  it("sends whenever it is enabled that the hub itself could know nothing", () => {
    expect(reasonOf("hub_unwatched", ruleWith({ events: [] }))).toBeNull();
    expect(reasonOf("hub_unwatched", ruleWith({ enabled: false }))).toBe("rule_disabled");
  });

  it("sends nothing until its owner enables it", () =>
    expect(sentKinds({ ...DEFAULT_RULE, channels: [1] })).toEqual([]));

  it("sends nothing about a target whose own rule is disabled", () => {
    const own = ruleWith({ overrideGlobal: true, enabled: false });
    expect(sentKinds(effective(ruleWith({}), own))).toEqual([]);
  });

  it("sends nothing to a channel that was deleted or disabled", () => {
    expect(reasonOf("down", ruleWith({}), null)).toBe("channel_unavailable");
    expect(reasonOf("down", ruleWith({}), { ...CHANNEL, enabled: false })).not.toBeNull();
  });
});

describe("an event that is not sent", () => {
  it("is stored without a delivery when its rule is switched off", async () => {
    const { app, bob, delivery, telegram } = await createAlertApp();
    const channel = await addChannel(app, bob);
    const id = await addWatchedMonitor(app, bob, [channel]);
    await saveRule(app, bob, {
      target_type: "monitor",
      target_id: id,
      override_global: true,
      enabled: false,
      channels: [channel],
    });
    await recordDown(app, id);
    await runDeliveries(app, delivery);
    expect((await readEvents(app)).map(({ kind, plannedAt }) => [kind, plannedAt])).toEqual([["down", START]]);
    expect([await readDeliveries(app), telegram.messages]).toEqual([[], []]);
  });

  it("is suppressed by an additional suppressor, which gives the reason in the history, and later events are sent", async () => {
    const { app, bob, telegram } = await createAlertApp();
    // As a maintenance window would.
    const maintenance: Suppressor = {
      reason: ({ targetName }, { now }) => (targetName === "shop" && now <= START ? ("maintenance" as never) : null),
      stored: true,
    };
    const delivery = createDelivery(app.deps, { suppressors: [...suppressors, maintenance] });
    const channel = await addChannel(app, bob);
    const shop = await addWatchedMonitor(app, bob, [channel], "shop");
    const blog = await addWatchedMonitor(app, bob, [channel], "blog");
    await recordDown(app, shop);
    await recordDown(app, blog);
    await runDeliveries(app, delivery);
    await app.clock.advance(1);
    await recover(app, shop);
    await app.clock.advance(1);
    await recordDown(app, shop);
    await runDeliveries(app, delivery);
    expect(telegram.texts().map((text) => text.split("\n")[0])).toEqual(["🔴 blog 无法访问", "🔴 shop 无法访问"]);
    const { body } = await app.as(bob).get("/api/notifications/history");
    type Shown = { kind: string; target: { name: string }; deliveries: { state: string; error: string | null }[] };
    const shown = (body.events as Shown[]).map(({ kind, target, deliveries }) => [
      kind,
      target.name,
      ...deliveries.map(({ state, error }) => `${state} ${error}`),
    ]);
    expect(shown).toEqual([
      ["down", "shop", "sent null"],
      // Its channel was not notified of the start.
      ["recovery", "shop", "withheld maintenance"],
      ["down", "blog", "sent null"],
      ["down", "shop", "withheld maintenance"],
    ]);
    const withheld = (await readDeliveries(app)).filter(
      ({ state, endedAt }) => state === "withheld" && endedAt === START,
    );
    expect(withheld).toMatchObject([{ attempts: 0, nextAttemptAt: null }]);
  });
});
