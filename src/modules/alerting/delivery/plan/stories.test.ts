import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { alertPolicies, channels, escalations } from "../../../../db/schema";
import type { AlertPolicy, QuietHours } from "../../../../shared/alert-policy";
import { checkError } from "../../../../shared/check-error";
import { MINUTE } from "../../../../shared/limits";
import type { NotificationRule } from "../../../../shared/notifications";
import { START } from "../../../../testing/clock";
import {
  addChannel,
  createAlertApp,
  readDeliveries,
  recordDown,
  recover,
  runDeliveries,
  telegramChannel,
} from "../../../../testing/fixtures/alerts";
import { addMonitor } from "../../../../testing/fixtures/monitors";
import { addPolicy, setMonitorRule } from "../../../../testing/fixtures/policies";
import { telegramError } from "../../../../testing/servers/providers";
import { createDelivery } from "../deliver";

/**
 * A policy from words: `10:ab` for the channels a and b after 10 minutes, `repeat=5 max=2`, `group=120`, and `hold=12:10-12:50` or
 * `drop=…` for quiet hours in UTC. The clock starts at 12:20.
 */
const parsePolicy = (text: string, ids: ReadonlyMap<string, number>): AlertPolicy => {
  const words = text.split(" ");
  const settingOf = (name: string) => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  const steps = words.flatMap((word) => {
    const [, minutes, names] = /^(\d+):(\w+)$/.exec(word) ?? [];
    return names ? [{ afterMinutes: Number(minutes), channels: [...names].map((name) => ids.get(name) ?? 0) }] : [];
  });
  const quiet = (["hold", "drop"] as const).flatMap((mode): QuietHours[] => {
    const [from, to] = settingOf(mode)?.split("-") ?? [];
    return from && to ? [{ days: [1, 2, 3, 4, 5, 6, 7], from, to, timeZone: "UTC", mode }] : [];
  });
  const [repeatMinutes, repeatMax] = [Number(settingOf("repeat") ?? 0), Number(settingOf("max") ?? 0)];
  return { steps, repeatMinutes, repeatMax, quiet: quiet[0] ?? null, groupSeconds: Number(settingOf("group") ?? 0) };
};

const setUp = async (policy: string, rule: Partial<NotificationRule> = {}) => {
  const refusing = new Set<string>();
  const made = await createAlertApp({
    telegram: ({ sent }) => (refusing.has(sent.chat) ? telegramError(500, "Oops") : null),
  });
  const { app, bob, telegram } = made;
  await app.as(bob).put("/api/auth/language", { language: "en-US" });
  const ids = new Map<string, number>();
  for (const name of "abc") ids.set(name, await addChannel(app, bob, telegramChannel(name, name)));
  const id = (name: string) => ids.get(name) ?? 0;
  const shop = await addMonitor(app, bob, { url: "https://shop.example/", name: "shop" });
  const policyId = await addPolicy(app, bob, parsePolicy(policy, ids));
  const setRule = (changes: Partial<NotificationRule>) =>
    setMonitorRule(app, bob, shop, { policyId, ...rule, ...changes });
  await setRule({});
  let delivery = made.delivery;
  const mute = `/api/monitors/${shop}/mute`;
  const outage = async () => (await app.as(bob).get("/api/outages")).body.outages[0]?.id;
  const acknowledge = async (body: object) =>
    expect((await app.as(bob).post(`/api/outages/${await outage()}/acknowledge`, body)).status).toBeLessThan(300);
  const actions = {
    down: () => recordDown(app, shop),
    up: () => recover(app, shop),
    "mute 20": () => app.as(bob).post(mute, { minutes: 20 }),
    "mute until up": () => app.as(bob).post(mute, { until_recovery: true }),
    unmute: () => app.as(bob).delete(mute),
    acknowledge: () => acknowledge({}),
    "acknowledge 20": () => acknowledge({ until: new Date(app.clock.now() + 20 * MINUTE).toISOString() }),
    "delete b": () => app.as(bob).delete(`/api/notifications/channels/${id("b")}`),
    "switch off b": () =>
      app.db
        .update(channels)
        .set({ enabled: false })
        .where(eq(channels.id, id("b"))),
    "delete the policy": () => app.db.delete(alertPolicies).where(eq(alertPolicies.id, policyId)),
    "switch off the rule": () => setRule({ enabled: false }),
    "mark as critical": () => setRule({ critical: true }),
    "refuse a": () => refusing.add("a"),
    "accept a": () => refusing.delete("a"),
    pause: () => app.as(bob).post(`/api/monitors/${shop}/pause`, {}),
    restart: async () => {
      await delivery.stop();
      delivery = createDelivery(app.deps);
    },
    "set back": () => app.clock.set(app.clock.now() - 60 * MINUTE),
  };
  let [minute, seen, jumped] = [0, 0, 0];
  /** Runs deliveries each minute up to one, and returns what was sent as `minute channel first-line`. */
  const play = async (story: string, until: number) => {
    const steps = story.split(", ").map((step) => /^(\d+) (.*)$/.exec(step) ?? []);
    const sent: string[] = [];
    for (; minute <= until; minute++) {
      for (const [, , action] of steps.filter(([, at]) => at === String(minute))) {
        await actions[action as keyof typeof actions]();
        if (action === "set back") jumped = 60 * MINUTE;
      }
      await runDeliveries(app, delivery);
      for (const { chat, text } of telegram.messages.slice(seen)) {
        const first = (text.split("\n")[0] ?? "").replace(" · for ", " ");
        if (!refusing.has(chat))
          sent.push(`${minute} ${chat} ${first.replace(/^\S+ /u, "").replace("shop", "").trim()}`);
      }
      seen = telegram.messages.length;
      await app.clock.advance(START + (minute + 1) * MINUTE - jumped - app.clock.now());
    }
    return sent;
  };
  return { ...made, app, play, id, ids, policyId, setRule, shop };
};
const TWO = "0:a 10:b";

/** Inputs and messages, each with its minute; commas separate. */
type Story = [title: string, policy: string, steps: string, until: number, sent: string];
const STORIES: Story[] = [
  [
    "is sent to the channels of each step at its time",
    "0:a 10:bc 30:a",
    "0 down",
    60,
    "0 a is down, 10 b is down, 10 c is down, 30 a is down",
  ],
  ["is sent to later steps only while it lasts", "0:a 10:b", "0 down, 9 up", 30, "0 a is down, 9 a is up again"],
  [
    "ends at all channels that were notified, and at no other",
    "0:a 10:b 20:c",
    "0 down, 12 up",
    40,
    "0 a is down, 10 b is down, 12 a is up again, 12 b is up again",
  ],
  [
    "is repeated while it lasts",
    "0:a repeat=15",
    "0 down, 40 up",
    80,
    "0 a is down, 15 a Still down:  15 minutes, 30 a Still down:  30 minutes, 40 a is up again",
  ],
  [
    "is repeated at most as often as the policy says",
    "0:a repeat=5 max=2",
    "0 down",
    60,
    "0 a is down, 5 a Still down:  5 minutes, 10 a Still down:  10 minutes",
  ],
  [
    "is repeated to everyone who was notified",
    "0:a 10:b repeat=15",
    "0 down",
    20,
    "0 a is down, 10 b is down, 15 a Still down:  15 minutes, 15 b Still down:  15 minutes",
  ],
  [
    "that is acknowledged is neither escalated nor repeated",
    "0:a 10:b repeat=5",
    "0 down, 6 acknowledge, 40 up",
    60,
    "0 a is down, 5 a Still down:  5 minutes, 6 a : acknowledged, 40 a is up again",
  ],
  [
    "begins again with the first step after its acknowledgement",
    "0:a 10:b",
    "0 down, 5 acknowledge 20",
    50,
    "0 a is down, 5 a : acknowledged, 25 a is down, 35 b is down",
  ],
  ["is not sent when it ended within the grouping time", "0:a group=120", "0 down, 1 up", 10, ""],
  ["is sent once no other alert followed it", "0:a group=120", "0 down, 3 up", 10, "1 a is down, 4 a is up again"],
  [
    "is held in quiet hours, and sent if it lasts",
    "0:a 10:b hold=12:10-12:50",
    "0 down",
    50,
    "30 a is down, 30 b is down",
  ],
  ["that quiet hours held is sent as its end alone", "0:a hold=12:10-12:50", "0 down, 10 up", 50, "30 a is up again"],
  [
    "is not sent in quiet hours that drop it",
    "0:a 10:b 40:c drop=12:10-12:50",
    "0 down, 50 up",
    60,
    "40 c is down, 50 c is up again",
  ],
  [
    "that began before quiet hours has no reminders in them, and its end after them",
    "0:a repeat=5 max=3 hold=12:24-12:50",
    "0 down, 25 up",
    60,
    "0 a is down, 30 a is up again",
  ],
  [
    "goes on with reminders after quiet hours",
    "0:a repeat=10 max=2 hold=12:24-12:50",
    "0 down",
    60,
    "0 a is down, 30 a Still down:  30 minutes, 40 a Still down:  40 minutes",
  ],
  [
    "becomes known in quiet hours once its target is critical",
    "0:a 10:b hold=12:10-12:50",
    "0 down, 12 mark as critical",
    50,
    "15 b is down, 30 a is down",
  ],
  ["of a paused monitor is not sent after quiet hours", "0:a hold=12:10-12:50", "0 down, 10 pause", 50, ""],
  ["is not escalated while its target is muted", "0:a 10:b", "0 down, 5 mute 20", 60, "0 a is down, 25 b is down"],
  [
    "is escalated soon after its mute is ended",
    "0:a 10:b",
    "0 down, 5 mute until up, 20 unmute",
    60,
    "0 a is down, 20 b is down",
  ],
  [
    "that began muted is sent, and escalated, when the mute ends",
    "0:a 10:b",
    "0 mute 20, 5 down",
    60,
    "20 a is down, 20 b is down",
  ],
  ["skips a deleted channel", "0:a 10:b 20:c", "0 down, 5 delete b", 60, "0 a is down, 20 c is down"],
  ["skips a deleted channel of the first step", "0:b 10:a", "0 delete b, 0 down", 60, "10 a is down"],
  [
    "has no reminder for a channel that is switched off",
    "0:ab repeat=10 max=1",
    "0 down, 5 switch off b, 20 up",
    60,
    "0 a is down, 0 b is down, 10 a Still down:  10 minutes, 20 a is up again",
  ],
  ["is not escalated after its policy is deleted", "0:a 10:b", "0 down, 5 delete the policy", 60, "0 a is down"],
  ["is not escalated after its rule is switched off", "0:a 10:b", "0 down, 5 switch off the rule", 60, "0 a is down"],
  ["is escalated after a restart", "0:a 10:b", "0 down, 5 restart", 60, "0 a is down, 10 b is down"],
  [
    "has no reminder for a channel that was not reached",
    "0:ab repeat=10 max=2",
    "0 refuse a, 0 down, 15 accept a, 19 up",
    60,
    "0 b is down, 10 b Still down:  10 minutes, 19 a is down, 19 b is up again, 19 a is up again",
  ],
  [
    "keeps its times when the clock is set back by an hour",
    "0:a 10:b repeat=15 max=2",
    "0 down, 5 set back",
    60,
    "0 a is down, 11 b is down, 16 a Still down:, 16 b Still down:, 31 a Still down:, 31 b Still down:",
  ],
];

const sorted = (sent: string) => sent.split(", ").filter(Boolean).toSorted();

describe("an outage", () => {
  it.each(STORIES)("%s", async (_, policy, steps, until, sent) => {
    const { app, play } = await setUp(policy);
    expect((await play(steps, until)).toSorted()).toEqual(sorted(sent));
    expect((await readDeliveries(app)).filter(({ state }) => state === "pending")).toEqual([]);
  });
});

it("an outage follows the steps that its policy has when they are due", async () => {
  const { app, play, policyId, id } = await setUp(TWO);
  expect(await play("0 down", 5)).toEqual(["0 a is down"]);
  const steps = [
    { afterMinutes: 0, channels: [id("b")] },
    { afterMinutes: 10, channels: [id("c")] },
  ];
  await app.db.update(alertPolicies).set({ steps }).where(eq(alertPolicies.id, policyId));
  expect(await play("", 12)).toEqual(["10 c is down"]);
  expect(await app.db.$count(escalations)).toBe(0);
});

it("a reminder says why the monitor is down now", async () => {
  const { app, play, shop, telegram } = await setUp("0:a repeat=10");
  await play("1 down", 5);
  await recordDown(app, shop, checkError("json_missing", { path: "data.ok" }));
  await play("", 12);
  expect(telegram.messages.map(({ text }) => /Reason: (.*)/.exec(text)?.[1])).toEqual([
    "status 503, expected 200",
    "the JSON body lacks data.ok",
  ]);
});

it("two instances send each step and each reminder once", async () => {
  const { app, play, telegram } = await setUp(`${TWO} repeat=15 max=2`);
  expect(await play("0 down", 0)).toEqual(["0 a is down"]);
  const other = createDelivery({ ...app.deps, instance: "other" });
  const one = createDelivery(app.deps);
  for (let minute = 1; minute < 60; minute++) {
    await app.clock.advance(MINUTE);
    await Promise.all([runDeliveries(app, one), runDeliveries(app, other)]);
  }
  expect(telegram.messages.map(({ chat }) => chat).toSorted()).toEqual(["a", "a", "a", "b", "b", "b"]);
});

it("a recovery of a rule without alerts goes to the channels of the first step", async () => {
  const { play } = await setUp(TWO, { events: ["recovery"] });
  expect(await play("0 down, 20 up", 30)).toEqual(["20 a is up again"]);
});
