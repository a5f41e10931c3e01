import { describe, expect, it } from "bun:test";
import { processDialect } from "../../../../core/config";
import { monitorStates, outages } from "../../../../db/schema";
import { MINUTE, SECOND } from "../../../../shared/limits";
import { createTestApp } from "../../../../testing/app";
import { until } from "../../../../testing/clock";
import { finishChecks } from "../../../../testing/fixtures/engine";
import { addMonitor, countHistory } from "../../../../testing/fixtures/monitors";
import { readOutageRows } from "../../../../testing/fixtures/outages";
import { serveStatus, serveTarget } from "../../../../testing/servers/targets";

const HOUR = 3600;

/** A listener with a monitor that is due each minute, and others of its host that are due each hour. All are up. */
const setUp = async (siblings: number) => {
  const app = await createTestApp({ env: { PRIVATE_TARGETS: "all" } });
  const people = await app.people();
  const target = serveStatus();
  const first = await addMonitor(app, people.alice, { url: target.url });
  const others: number[] = [];
  for (let count = 0; count < siblings; count++)
    others.push(await addMonitor(app, people.alice, { url: `${target.url}${count}`, interval: HOUR }));
  const statuses = async () => {
    const rows = await app.db.select().from(monitorStates);
    return new Map(rows.map(({ monitorId, status }) => [monitorId, status]));
  };
  const countOf = async (status: "up" | "down", ids = [first, ...others]) => {
    const known = await statuses();
    return ids.filter((id) => known.get(id) === status).length;
  };
  /** Lets the seconds pass until the first monitor was checked again, and no check is in flight. */
  const nextMinute = async () => {
    const before = (await countHistory(app, first)).checks;
    await until(async () => {
      await app.clock.advance(SECOND);
      await finishChecks(app);
      return (await countHistory(app, first)).checks > before;
    }, "the next scheduled check");
    // The checks that a change has started.
    await finishChecks(app);
  };
  await until(async () => {
    await app.clock.advance(SECOND);
    await finishChecks(app);
    return (await countOf("up")) === siblings + 1;
  }, "the first checks");
  return { app, ...people, target, first, others, countOf, nextMinute, statuses };
};

/** Ticks, while seconds pass, until a condition holds; returns how many passed. */
const secondsUntil = async ({ app }: Awaited<ReturnType<typeof setUp>>, condition: () => Promise<boolean>) => {
  let seconds = 0;
  await until(async () => {
    if (await condition()) return true;
    seconds++;
    await app.clock.advance(SECOND);
    await finishChecks(app);
    return condition();
  });
  return seconds;
};

describe("the other monitors of a host", () => {
  it("are known to be down two seconds after one scheduled check fails, and up two seconds after one succeeds: 50 monitors", async () => {
    const world = await setUp(49);
    const { app, target, first, others, countOf, nextMinute } = world;
    for (const [status, state] of [
      [503, "down"],
      [200, "up"],
    ] as const) {
      target.answer.status = status;
      const before = target.requests.length;
      await nextMinute();
      expect(await secondsUntil(world, async () => (await countOf(state)) === 50)).toBeLessThanOrEqual(2);
      const paths = target.requests.slice(before).map(({ path }) => path);
      expect(paths.filter((path, place) => paths.indexOf(path) !== place)).toEqual([]);
      expect(paths).toHaveLength(50);
    }
    for (const id of others) expect((await countHistory(app, id)).checks).toBe(3);
    expect(await readOutageRows(app, others[0] ?? 0)).toHaveLength(1);
    // The others were found soon after the beginning, and count from there.
    const rows = await app.db.select().from(outages);
    expect(rows.filter(({ countedFrom }) => countedFrom !== null).map(({ targetId }) => targetId)).toEqual([first]);
  });

  it("can be checked again after the database failed between their claims and their checks", async () => {
    const { app, target, others, countOf, nextMinute } = await setUp(2);
    const before = target.requests.length;
    const { select } = app.db;
    let failures = 0;
    Object.assign(app.deps.db, {
      select: (...given: Parameters<typeof select>) => {
        const isLoading = given[0] !== undefined && "role" in given[0];
        if (isLoading && target.requests.length > before && failures++ === 0)
          throw new Error("the connection was lost");
        return select.apply(app.db, given);
      },
    });
    target.answer.status = 503;
    await nextMinute();
    await until(() => failures > 0, "the failure");
    await until(() => app.engine.inFlight() === 0, "the end of all checks");
    expect(await countOf("down")).toBe(1);
    expect((await app.engine.checkNow(others[0] ?? 0)).up).toBe(false);
  });

  it("are known to be down when the listener has stopped", async () => {
    const app = await createTestApp();
    const { alice } = await app.people();
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("fine") });
    const url = `http://127.0.0.1:${server.port}/`;
    for (let index = 0; index < 50; index++)
      await addMonitor(app, alice, { url: `${url}${index}`, interval: index === 0 ? 60 : HOUR });
    const countDown = async () => {
      const rows = await app.db.select().from(monitorStates);
      return rows.filter(({ status }) => status === "down").length;
    };
    await finishChecks(app);
    await app.clock.advance(10 * SECOND);
    await finishChecks(app);
    await server.stop(true);
    // The time between two checks varies.
    await app.clock.advance(1.2 * MINUTE);
    await until(async () => {
      await finishChecks(app);
      return (await countDown()) === 50;
    });
  });

  it("are within the quotas of their owner: requests to one host wait for the next second", async () => {
    const app = await createTestApp({ env: { PRIVATE_TARGETS: "all" } });
    const { bob } = await app.people();
    const perSecond = new Map<number, number>();
    let status = 200;
    const target = serveTarget(() => {
      perSecond.set(app.clock.now(), (perSecond.get(app.clock.now()) ?? 0) + 1);
      return new Response(null, { status });
    });
    for (let index = 0; index <= 20; index++)
      await addMonitor(app, bob, { url: `${target.url}${index}`, interval: index === 0 ? 60 : HOUR });
    const countOf = async (wanted: string) => {
      const rows = await app.db.select().from(monitorStates);
      return rows.filter((row) => row.status === wanted).length;
    };
    // A second passes when no request is on its way.
    const untilAll = (wanted: string) =>
      until(async () => {
        await app.engine.tick();
        if (app.engine.running() === 0) await app.clock.advance(SECOND);
        return (await countOf(wanted)) === 21;
      });
    await untilAll("up");
    status = 503;
    await untilAll("down");
    expect(Math.max(...perSecond.values())).toBe(app.deps.config.quotas.checksPerHost);
  });

  it("are those of the same owner and host that are active and in the earlier state, at most 50", async () => {
    const world = await setUp(60);
    const { app, bob, target, others, countOf, nextMinute } = world;
    const foreign = await addMonitor(app, bob, { url: `${target.url}foreign`, interval: HOUR });
    const elsewhere = await addMonitor(app, world.alice, {
      url: serveTarget().url.replace("127.0.0.1", "localhost"),
      interval: HOUR,
    });
    await finishChecks(app);
    target.answer.status = 503;
    await nextMinute();
    await secondsUntil(world, async () => (await countOf("down")) >= 51);
    await finishChecks(app);
    expect(await countOf("down")).toBe(51);
    expect(await countOf("down", others.slice(50))).toBe(0);
    expect((await countHistory(app, elsewhere)).checks).toBe(1);
    expect(target.requests.filter(({ path }) => path === "/foreign").length).toBeLessThanOrEqual(1);
    expect((await world.statuses()).get(foreign)).not.toBe("down");
  });

  it("are checked after a check by hand, too, and until these checks are stored the monitor counts as followed", async () => {
    const { app, target, first, countOf } = await setUp(5);
    target.answer.status = 503;
    await app.clock.advance(SECOND);
    expect(await app.engine.followed([first])).toEqual([]);
    await app.engine.checkNow(first);
    expect(await app.engine.followed([first])).toEqual([first]);
    await until(async () => {
      await finishChecks(app);
      return (await app.engine.followed([first])).length === 0;
    }, "the checks of the host");
    expect(await countOf("down")).toBe(6);
  });

  it("end the wait of an alert as soon as they are found up, before these results are stored", async () => {
    const app = await createTestApp({ env: { PRIVATE_TARGETS: "all" } });
    const { alice } = await app.people();
    let failing = "none";
    const target = serveTarget(({ url }) => new Response(null, { status: url.endsWith(failing) ? 503 : 200 }));
    const ids: number[] = [];
    for (const path of ["a", "b", "c"]) ids.push(await addMonitor(app, alice, { url: `${target.url}${path}` }));
    for (const id of ids) await app.engine.checkNow(id);
    failing = "a";
    const requests = target.requests.length;
    await app.engine.checkNow(ids[0] ?? 0);
    // Nothing is written on SQLite until the next tick.
    await until(async () => (await app.engine.followed(ids)).length === 0, "the checks of the host");
    expect(target.requests.length).toBe(requests + 3);
  });

  it.skipIf(processDialect === "sqlite")("are being checked for all instances on the database", async () => {
    const { app, alice, target, first } = await setUp(2);
    const other = await createTestApp({ db: app.db, clock: app.clock });
    const [held, isUp] = [Promise.withResolvers<void>(), { value: true }];
    const slow = serveTarget(async () => {
      if (!isUp.value) await held.promise;
      return new Response(null);
    });
    const last = await addMonitor(app, alice, { url: slow.url });
    await app.engine.checkNow(last);
    Object.assign(isUp, { value: false });
    target.answer.status = 503;
    await app.clock.advance(SECOND);
    await app.engine.checkNow(first);
    await until(() => slow.requests.length === 2, "the check of the slow one");
    expect(await other.engine.followed([first, last])).toEqual([first]);
    held.resolve();
    await until(async () => (await other.engine.followed([first])).length === 0, "its end");
  });

  it("are followed less and less often while one monitor flaps and they do not", async () => {
    const app = await createTestApp();
    const { alice } = await app.people();
    let checks = 0;
    // Each check of the first monitor finds a change.
    const target = serveTarget(
      (_, { path }) => new Response(null, { status: path === "/" && checks++ % 2 === 1 ? 503 : 200 }),
    );
    await addMonitor(app, alice, { url: target.url });
    for (let count = 0; count < 10; count++)
      await addMonitor(app, alice, { url: `${target.url}${count}`, interval: 24 * HOUR });
    await finishChecks(app);
    await app.clock.advance(5 * SECOND);
    await finishChecks(app);
    target.requests.length = 0;
    for (let count = 0; count < 6 * 120; count++) {
      await app.clock.advance(10 * SECOND);
      await finishChecks(app);
      await finishChecks(app);
    }
    const extra = target.requests.filter(({ path }) => path !== "/").length;
    // Two hours of a change each minute: after 0, 2, 4, 8, 16, 32 and 64 minutes or so, and not 60 times.
    expect(extra).toBeGreaterThanOrEqual(10);
    expect(extra).toBeLessThanOrEqual(90);
  });

  // SQLite has one process.
  it.if(processDialect === "postgres")("are checked once at a time with two instances", async () => {
    const { app, target, countOf, others } = await setUp(30);
    const twin = await createTestApp({ db: app.db, clock: app.clock });
    target.answer.status = 503;
    await until(async () => {
      await app.clock.advance(SECOND);
      await Promise.all([finishChecks(app), finishChecks(twin)]);
      return (await countOf("down")) === 31;
    });
    await Promise.all([finishChecks(app), finishChecks(twin)]);
    for (const id of others) {
      const { checks } = await countHistory(app, id);
      expect(checks).toBe(2);
      expect(await readOutageRows(app, id)).toMatchObject([{ checksFailed: 1 }]);
    }
  });
});
