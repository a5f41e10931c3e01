import { describe, expect, it } from "bun:test";
import { DEFAULT_RULE, EVENT_KINDS, type EventKind, type NotificationRule } from "../../../../shared/notifications";
import { START } from "../../../../testing/clock";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  readDeliveries,
  readEvents,
  recordDown,
  runDeliveries,
  saveRule,
} from "../../../../testing/fixtures/alerts";
import { effective } from "../../rules/service";
import { reasonNotToSend } from "./decide";
import type { Event, Recipient } from "./state";

const CHANNEL = { id: 1, name: "chat", type: "telegram", enabled: true };

const ruleWith = (changes: Partial<NotificationRule>) => ({
  ...DEFAULT_RULE,
  enabled: true,
  channels: [1],
  ...changes,
});
const reasonOf = (
  kind: EventKind,
  rule: NotificationRule,
  { channel = CHANNEL, facts = null }: { channel?: Recipient | null; facts?: Event["facts"] } = {},
) => reasonNotToSend({ event: { kind, facts }, rule }, channel, { isMuted: false, withheld: null })?.code ?? null;
/** Kinds without a switch in a rule: their events come from what a user set, or are about the hub itself. */
const isOwn = (kind: EventKind) => /^(swap|load|temperature|budget|hub|backup)_/.test(kind);
const sentKinds = (rule: NotificationRule) =>
  EVENT_KINDS.filter((kind) => !isOwn(kind) && reasonOf(kind, rule) === null);

describe("a notification rule", () => {
  const cases: [string, Partial<NotificationRule>, EventKind[]][] = [
    ["nothing while it is disabled", { enabled: false, events: ["cpu"] }, []],
    [
      "changes of state, slow answers and certificates by default",
      { events: DEFAULT_RULE.events.filter((group) => group !== "problem" && group !== "plan") },
      [
        "down",
        "recovery",
        "slow",
        "slow_normal",
        "cert_expiring",
        "cert_renewed",
        "domain_expiring",
        "domain_renewed",
        "offline",
        "online",
      ],
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
      ["recovery", "cert_expiring", "cert_renewed", "domain_expiring", "domain_renewed", "online"],
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
    const reason = (kind: EventKind, rule: NotificationRule) => reasonOf(kind, rule, { facts: { threshold_id: 1 } });
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

  it("sends whenever it is enabled that the hub itself could know nothing or make no backup", () => {
    expect(reasonOf("hub_unwatched", ruleWith({ events: [] }))).toBeNull();
    expect(reasonOf("backup_failed", ruleWith({ events: [] }))).toBeNull();
    expect(reasonOf("hub_unwatched", ruleWith({ enabled: false }))).toBe("rule_disabled");
  });

  it("sends nothing until its owner enables it", () =>
    expect(sentKinds({ ...DEFAULT_RULE, channels: [1] })).toEqual([]));

  it("sends nothing about a target whose own rule is disabled", () => {
    const own = ruleWith({ overrideGlobal: true, enabled: false });
    expect(sentKinds(effective(ruleWith({}), own))).toEqual([]);
  });

  it("sends nothing to a channel that was deleted or disabled", () => {
    expect(reasonOf("down", ruleWith({}), { channel: null })).toBe("channel_deleted");
    expect(reasonOf("down", ruleWith({}), { channel: { ...CHANNEL, enabled: false } })).not.toBeNull();
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
});
