import { describe, expect, it } from "bun:test";
import { madeBy } from "../../../db/owner";
import { deliveries, events, instances } from "../../../db/schema";
import { SECOND } from "../../../shared/limits";
import { START, until } from "../../../testing/clock";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  readDeliveries,
  recordDown,
} from "../../../testing/fixtures/alerts";
import { addUser, type TestUser } from "../../../testing/fixtures/people";
import { webhookChannel } from "../../../testing/fixtures/webhooks";
import { serveHeld } from "../../../testing/servers/targets";
import { type Claimed, claimDeliveries } from "./claim";
import { planNext } from "./plan/plan";

type App = Awaited<ReturnType<typeof createAlertApp>>["app"];

const addChannels = async (app: App, owner: TestUser, url: string, count: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let added = 0; added < count; added++) ids.push(await addChannel(app, owner, webhookChannel(url)));
  return ids;
};

/** Writes a down event of each of `count` new monitors, for these channels. */
const raiseAlerts = async (app: App, owner: TestUser, channels: number[], count: number): Promise<void> => {
  for (let raised = 0; raised < count; raised++)
    await recordDown(app, await addWatchedMonitor(app, owner, channels, `${owner.username}-${raised}`));
};

const countBy = (claimed: readonly Claimed[], key: "teamId" | "channelId") =>
  Object.fromEntries(
    [...Map.groupBy(claimed, ({ deliveries: [delivery] }) => delivery[key])].map(([id, { length }]) => [id, length]),
  );

describe("a claim", () => {
  const setUp = async () => {
    const { app, bob, charlie } = await createAlertApp();
    await app.db.insert(instances).values({ id: app.deps.instance, seenAt: START });
    const url = "https://hook.example/";
    const [bobs, charlies] = [await addChannels(app, bob, url, 3), await addChannels(app, charlie, url, 1)];
    const claim = (inFlight: readonly Claimed[], limits: { limit?: number; limitPerUser?: number } = {}) =>
      claimDeliveries(app.deps, {
        deadAt: 0,
        held: inFlight.map(({ id }) => id),
        inFlight: inFlight.map(({ deliveries: [first] }) => first),
        limit: 100,
        limitPerUser: 100,
        limitPerChannel: 2,
        ...limits,
      });
    const plan = () => planNext(app.deps);
    return { app, bob, charlie, bobs, charlies, claim, plan };
  };

  it("takes no more deliveries of a user than the limit per user, with those in flight", async () => {
    const { app, bob, charlie, bobs, charlies, claim, plan } = await setUp();
    await raiseAlerts(app, bob, bobs, 2);
    await plan();
    const limits = { limitPerUser: 4 };
    const first = await claim([], limits);
    expect(countBy(first, "teamId")).toEqual({ [bob.teamId]: 4 });
    await raiseAlerts(app, charlie, charlies, 1);
    await plan();
    const second = await claim(first, limits);
    expect(countBy(second, "teamId")).toEqual({ [charlie.teamId]: 1 });
    expect(await claim([...first, ...second], limits)).toEqual([]);
    const later = await claim([...first.slice(1), ...second], limits);
    expect(countBy(later, "teamId")).toEqual({ [bob.teamId]: 1 });
  });

  it("takes no more deliveries of a channel than the limit per channel, with those in flight", async () => {
    const { app, bob, bobs, claim, plan } = await setUp();
    await raiseAlerts(app, bob, bobs, 3);
    await plan();
    const first = await claim([]);
    expect(countBy(first, "channelId")).toEqual(Object.fromEntries(bobs.map((id) => [id, 2])));
    expect(await claim(first)).toEqual([]);
    expect(await claim(first.slice(1))).toMatchObject([
      { deliveries: [{ channelId: first[0]?.deliveries[0].channelId }] },
    ]);
  });

  it("shares what is left between users, and between the channels of a user", async () => {
    const { app, bob, charlie, bobs, charlies, claim, plan } = await setUp();
    await raiseAlerts(app, bob, bobs, 3);
    await raiseAlerts(app, charlie, charlies, 3);
    await plan();
    const claimed = await claim([], { limit: 5 });
    expect(countBy(claimed, "teamId")).toEqual({ [bob.teamId]: 3, [charlie.teamId]: 2 });
    const channels = countBy(claimed, "channelId");
    expect(bobs.map((id) => channels[id])).toEqual([1, 1, 1]);
  });

  it("prefers the user with the fewest deliveries in flight", async () => {
    const { app, bob, charlie, bobs, charlies, claim, plan } = await setUp();
    await raiseAlerts(app, bob, bobs, 2);
    await plan();
    const first = await claim([], { limit: 2 });
    await raiseAlerts(app, charlie, charlies, 2);
    await plan();
    expect(countBy(await claim(first, { limit: 4 }), "teamId")).toEqual({ [charlie.teamId]: 2 });
  });
});

describe("a claim from thousands of waiting deliveries", () => {
  /** What waits of a target: its id, and when its deliveries may be sent, in seconds from now. */
  type Target = { id: number; seconds: number[]; attempts?: number };
  const setUp = async () => {
    const { app, bob, charlie } = await createAlertApp();
    const url = "https://hook.example/";
    const [bobs = 0, charlies = 0] = [
      ...(await addChannels(app, bob, url, 1)),
      ...(await addChannels(app, charlie, url, 1)),
    ];
    const now = app.clock.now();
    const add = async (owner: TestUser, channelId: number, targets: readonly Target[]) => {
      const rows = targets.flatMap(({ id, seconds, attempts }) =>
        seconds.map((second, index) => ({ targetId: id, at: START + index, next: now + second * SECOND, attempts })),
      );
      const base = {
        ...madeBy(owner),
        kind: "down",
        targetType: "monitor",
        targetName: "shop",
        plannedAt: now,
      } as const;
      const waiting = {
        channelId,
        channelName: "hook",
        channelType: "webhook",
        state: "pending",
        createdAt: now,
      } as const;
      for (let from = 0; from < rows.length; from += 1000) {
        const some = rows.slice(from, from + 1000);
        const ids = await app.db
          .insert(events)
          .values(some.map(({ targetId, at }) => ({ ...base, targetId, at })))
          .returning({ id: events.id });
        await app.db.insert(deliveries).values(
          some.map(({ next, attempts = 0 }, index) => ({
            ...waiting,
            ...{ eventId: ids[index]?.id ?? 0, attempts, nextAttemptAt: next, dueAt: next },
          })),
        );
      }
    };
    const claim = async (limit: number) => {
      const limits = { limit, limitPerUser: limit, limitPerChannel: limit };
      const claimed = await claimDeliveries(app.deps, { deadAt: 0, held: [], inFlight: [], ...limits });
      const all = await app.db.select().from(events);
      return claimed.map(({ deliveries: [{ eventId }] }) => all.find(({ id }) => id === eventId)?.targetId);
    };
    return { app, bob, charlie, bobs, charlies, add, claim };
  };
  const many = (count: number, target: Omit<Target, "id">, first = 1): Target[] =>
    Array.from({ length: count }, (_, index) => ({ id: first + index, ...target }));

  it("takes one of each user before a second of the user with thousands", async () => {
    const { bob, charlie, bobs, charlies, add, claim } = await setUp();
    await add(bob, bobs, many(5000, { seconds: [-60] }));
    await add(charlie, charlies, many(2, { seconds: [0] }, 30_000));
    expect(await claim(3)).toEqual([1, 2, 30_000]);
  });

  it("takes those that are due behind those that wait for a later time", async () => {
    const { bob, bobs, add, claim } = await setUp();
    await add(bob, bobs, [...many(1000, { seconds: [3600] }), { id: 2000, seconds: [0] }]);
    expect(await claim(10)).toEqual([2000]);
  });

  it("takes none before an earlier one of its target that has waited less", async () => {
    const { bob, bobs, add, claim } = await setUp();
    await add(bob, bobs, [{ id: 1, seconds: [0, -3600] }, ...many(1000, { seconds: [-60] }, 2)]);
    expect(await claim(2)).toEqual([2, 3]);
  });

  it("takes one that may be sent although all before it wait for earlier ones of their targets", async () => {
    const { bob, bobs, add, claim } = await setUp();
    const retried = many(500, { seconds: [3600, -60], attempts: 1 });
    await add(bob, bobs, [...retried, { id: 2000, seconds: [0] }]);
    expect(await claim(10)).toEqual([2000]);
  });

  it("takes one of a channel in which most wait for earlier ones, together with one of another channel", async () => {
    const { bob, charlie, bobs, charlies, add, claim } = await setUp();
    await add(bob, bobs, [...many(500, { seconds: [3600, -60], attempts: 1 }), { id: 2000, seconds: [0] }]);
    await add(charlie, charlies, [{ id: 3000, seconds: [0] }]);
    expect((await claim(10)).toSorted()).toEqual([2000, 3000]);
  });
});

it("many webhooks of few users that do not answer never delay the alert of another user", async () => {
  const { app, bob, charlie, delivery } = await createAlertApp({ env: { PRIVATE_TARGETS: "all" } });
  const hung = serveHeld();
  const prompt = serveHeld();
  const dave = await addUser(app.deps, "dave");
  const erin = await addUser(app.deps, "erin");
  for (const owner of [bob, charlie, dave]) {
    // As many channels as a user may have, each with as many alerts as a channel may send at once.
    await raiseAlerts(app, owner, await addChannels(app, owner, hung.url, 20), 8);
  }
  await delivery.run();
  const monitor = await addWatchedMonitor(app, erin, await addChannels(app, erin, prompt.url, 1));
  await recordDown(app, monitor);
  await delivery.run();
  expect((await readDeliveries(app)).at(-1)?.claimedBy).toBe(app.deps.instance);
  await until(() => prompt.requests.length === 1, "the request to the other user's webhook");
  prompt.release();
  await until(async () => (await readDeliveries(app)).at(-1)?.state === "sent", "the other user's alert");
  expect(await app.db.$count(deliveries)).toBe(3 * 20 * 8 + 1);
});
