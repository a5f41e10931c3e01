import { describe, expect, it } from "bun:test";
import { and, asc, eq } from "drizzle-orm";
import { events, outageEventColumns, outages } from "../../../../db/schema";
import { isoTime } from "../../../../lib/time";
import type { Sample } from "../../../../shared/agents/report";
import { checkError } from "../../../../shared/check-error";
import { MINUTE, SECOND } from "../../../../shared/limits";
import { createTestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { enrollAgent, sampleAt } from "../../../../testing/fixtures/agents";
import { addMonitor, recordOnly } from "../../../../testing/fixtures/monitors";
import { extendDeadlines, markOfflineServers } from "../../../servers/ingest/offline";
import { refreshCauses, updateCauses } from "./update";

const REFUSED = checkError("refused");
const ADDRESS = "203.0.113.7";
const GIGABYTE = 2 ** 30;

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const newEvents = () => app.db.select(outageEventColumns).from(events).orderBy(asc(events.id));
  return {
    app,
    alice,
    bob,
    charlie,
    /** A monitor of a host that goes down `after` milliseconds, found at `address`. */
    fail: async ({ owner = bob, host = "shop.example", address = "", after = 0, interval = 60 } = {}) => {
      const id = await addMonitor(app, owner, { url: `https://${host}/`, interval });
      await recordOnly(app, id, [{ at: START + after, up: false, error: REFUSED, address: address || undefined }]);
      return id;
    },
    /** A server that reports once at `at`, relative to the start. */
    server: async (
      { owner = bob, at = 0, hostname = "web-1", name = "web-1", addresses = [ADDRESS] } = {},
      sample: Partial<Sample> = {},
    ) => {
      const agent = await enrollAgent(app, owner, { hostname, name, ip_addresses: addresses });
      app.clock.set(START + at);
      const report = { hostname, ip_addresses: addresses };
      await agent.report([sampleAt(START + at, sample)], report);
      return {
        ...agent,
        again: async (later: number) => {
          app.clock.set(START + later);
          await agent.report([sampleAt(START + later, sample)], report);
        },
      };
    },
    update: async () => updateCauses(app.deps, await newEvents()),
    refresh: async (...monitorIds: number[]) =>
      refreshCauses(
        app.deps,
        (await newEvents()).flatMap(({ id, targetId }) => (monitorIds.includes(targetId) ? [id] : [])),
      ),
    causeOf: async (monitorId: number) => {
      const [row] = await app.db
        .select()
        .from(outages)
        .where(and(eq(outages.targetId, monitorId), eq(outages.kind, "down")));
      return row?.cause ?? null;
    },
  };
};

describe("the server of a monitor that is down is the cause", () => {
  it("when it is silent: found by an address of its checks, by an address in the URL, by its hostname and by its name", async () => {
    const { app, server, fail, update, causeOf } = await setUp();
    const { id: agentId } = await server({ hostname: "Web-1.example.com", name: "Front" });
    app.clock.set(START + 91 * SECOND);
    const monitors = [
      await fail({ address: ADDRESS }),
      await fail({ address: `::ffff:${ADDRESS}` }),
      await fail({ host: ADDRESS }),
      await fail({ host: "web-1.example.com" }),
      await fail({ host: "front" }),
    ];
    await update();
    for (const id of monitors)
      expect(await causeOf(id)).toEqual({ kind: "agent_silent", agentId, name: "Front", at: START, total: 5 });
  });

  it("when its last report is older than one and a half of its intervals, and not before", async () => {
    const { app, server, fail, update, causeOf } = await setUp();
    await server();
    const id = await fail({ address: ADDRESS });
    app.clock.set(START + 90 * SECOND);
    await update();
    expect(await causeOf(id)).toBeNull();
    app.clock.set(START + 90 * SECOND + 1);
    await update();
    expect(await causeOf(id)).toMatchObject({ kind: "agent_silent" });
  });

  it("when it goes offline later: open outages get the cause then", async () => {
    const { app, server, fail, causeOf } = await setUp();
    await server();
    const id = await fail({ address: ADDRESS, after: 20 * SECOND });
    app.clock.set(START + 10 * MINUTE);
    await markOfflineServers(app.deps);
    const [, offline] = await app.db.select(outageEventColumns).from(events).orderBy(asc(events.id));
    expect(offline?.kind).toBe("offline");
    await updateCauses(app.deps, offline ? [offline] : []);
    expect(await causeOf(id)).toMatchObject({ kind: "agent_silent", at: START });
  });

  it("not when it was silent long before the target went down, or reported long after", async () => {
    const { app, server, fail, update, causeOf } = await setUp();
    const agent = await server();
    const late = await fail({ address: ADDRESS, after: 30 * MINUTE });
    await agent.again(5 * MINUTE);
    app.clock.set(START + 31 * MINUTE);
    const early = await fail({ address: ADDRESS, after: MINUTE });
    await update();
    expect([await causeOf(early), await causeOf(late)]).toEqual([null, null]);
  });

  it("when a check of an hour's interval follows the silence", async () => {
    const { app, server, fail, update, causeOf } = await setUp();
    await server();
    app.clock.set(START + 30 * MINUTE);
    const id = await fail({ address: ADDRESS, after: 30 * MINUTE, interval: 3600 });
    await update();
    expect(await causeOf(id)).toMatchObject({ kind: "agent_silent", at: START });
  });

  it("when its disk is full", async () => {
    const { server, fail, update, causeOf } = await setUp();
    const disks = [
      { mount: "/", total: 100 * GIGABYTE, used: 40 * GIGABYTE },
      { mount: "/var", total: 100 * GIGABYTE, used: 99 * GIGABYTE },
    ];
    const { id: agentId } = await server({}, { disks, disk: { total: 200 * GIGABYTE, used: 139 * GIGABYTE } });
    const id = await fail({ address: ADDRESS });
    await update();
    expect(await causeOf(id)).toEqual({ kind: "agent_disk_full", agentId, name: "web-1", mount: "/var", percent: 99 });
  });

  it("when it has just been restarted, and not when that was before the last good check", async () => {
    for (const [bootedAt, kind] of [
      [START + MINUTE, "agent_rebooted"],
      [START - 2 * MINUTE, "agent_rebooted"],
      [START - 10 * MINUTE, null],
    ] as const) {
      const { server, fail, update, causeOf } = await setUp();
      await server({ at: 2 * MINUTE }, { boot_time: isoTime(bootedAt) });
      const id = await fail({ address: ADDRESS });
      await update();
      expect((await causeOf(id))?.kind ?? null).toBe(kind);
    }
  });

  it("never when it belongs to another user, also to an administrator", async () => {
    const { app, alice, charlie, server, fail, update, causeOf } = await setUp();
    await server({ owner: charlie });
    await server({ owner: alice });
    app.clock.set(START + 5 * MINUTE);
    const id = await fail({ address: ADDRESS });
    await fail({ owner: charlie, address: ADDRESS });
    await update();
    expect(await causeOf(id)).toBeNull();
  });

  it("not while the hub itself was away, after which every server has a later deadline", async () => {
    const { app, server, fail, update, causeOf } = await setUp();
    await server();
    app.clock.set(START + 5 * MINUTE);
    await extendDeadlines(app.deps);
    const id = await fail({ address: ADDRESS, after: MINUTE });
    await update();
    expect(await causeOf(id)).toBeNull();
  });
});

describe("causes", () => {
  it("that monitors share grow with each one that goes down", async () => {
    const { fail, update, causeOf } = await setUp();
    const first = await fail({ address: ADDRESS });
    await update();
    expect(await causeOf(first)).toBeNull();
    await fail({ host: "b.example", address: ADDRESS, after: 10 * SECOND });
    await fail({ host: "c.example", address: ADDRESS, after: 20 * SECOND });
    await update();
    expect(await causeOf(first)).toEqual({ kind: "shared_address", value: ADDRESS, others: 2 });
  });

  it("are looked for once more before a message is written, and a server replaces what is shared", async () => {
    const { app, server, fail, update, refresh, causeOf } = await setUp();
    await server();
    const ids = [await fail({ address: ADDRESS }), await fail({ address: ADDRESS })];
    await update();
    expect(await causeOf(ids[0]!)).toMatchObject({ kind: "shared_host", others: 1, total: 2 });
    app.clock.set(START + 5 * MINUTE);
    await refresh(ids[0]!);
    expect(await causeOf(ids[0]!)).toMatchObject({ kind: "agent_silent" });
    expect(await causeOf(ids[1]!)).toMatchObject({ kind: "shared_host" });
  });

  it("count the active monitors that are on them, and a domain is none while another monitor under it is up", async () => {
    const { app, bob, charlie, fail, update, causeOf } = await setUp();
    const add = async (host: string, { owner = bob, up = true } = {}) => {
      const id = await addMonitor(app, owner, { url: `https://${host}/` });
      await recordOnly(app, id, [{ at: START - MINUTE, up, error: up ? undefined : REFUSED }]);
      return id;
    };
    await add("a.shop.example", { owner: charlie });
    await add("ashop.example");
    await add("x_y.shop.example", { up: false });
    const up = await add("shop.example");
    const ids = [await fail({ host: "a.shop.example" }), await fail({ host: "b.shop.example" })];
    ids.push(await fail({ host: "c.shop.example" }));
    await update();
    expect(await causeOf(ids[0]!)).toBeNull();
    await app.as(bob).post(`/api/monitors/${up}/pause`);
    await update();
    const domain = { kind: "shared_domain", value: "shop.example", others: 3, total: 4 } as const;
    for (const id of ids) expect(await causeOf(id)).toEqual(domain);
    await add("db.internal");
    for (let count = 0; count < 3; count++) ids.push(await fail({ host: "db.internal" }));
    await update();
    expect(await causeOf(ids.at(-1)!)).toEqual({ kind: "shared_host", value: "db.internal", others: 2, total: 4 });
  });

  it("have the number of monitors of a silent server only while none of them is up", async () => {
    const { app, bob, server, fail, update, causeOf } = await setUp();
    await server();
    const other = await addMonitor(app, bob, { url: "https://shop.example/other" });
    await recordOnly(app, other, [{ at: START, up: true }]);
    app.clock.set(START + 5 * MINUTE);
    const id = await fail({ address: ADDRESS });
    await update();
    expect(await causeOf(id)).not.toHaveProperty("total");
    await recordOnly(app, other, [{ at: START + MINUTE, up: false, error: REFUSED }]);
    await update();
    expect(await causeOf(id)).toMatchObject({ kind: "agent_silent", total: 2 });
  });

  it("stay when nothing is found any more", async () => {
    const { app, server, fail, update, causeOf } = await setUp();
    const agent = await server();
    const id = await fail({ address: ADDRESS });
    app.clock.set(START + 2 * MINUTE);
    await update();
    await agent.again(2 * MINUTE);
    await update();
    expect(await causeOf(id)).toMatchObject({ kind: "agent_silent", at: START });
  });

  it("that can't be read do not stop an alert: the failure is logged", async () => {
    const { app } = await setUp();
    const broken = {
      ...app.deps,
      db: {
        ...app.db,
        select: () => {
          throw new Error("the disk is gone");
        },
      } as never,
    };
    await updateCauses(broken, [{ teamId: 1, kind: "down", targetId: 1, at: START, since: null }]);
    expect(app.logged.join()).toContain("the disk is gone");
  });
});
