import { describe, expect, it } from "bun:test";
import { isoTime } from "../../../../lib/time";
import { DAY, MINUTE } from "../../../../shared/limits";
import { createClient } from "../../../../testing/client";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  readDeliveries,
  recordDown,
  recover,
  runDeliveries,
} from "../../../../testing/fixtures/alerts";
import { addMonitor } from "../../../../testing/fixtures/monitors";
import { LINK_AGE, linkOf, signLink, verifyLink } from "./link";

/** Two monitors of bob's that are down, one of charlie's, and a link for the first. */
const setUp = async () => {
  const world = await createAlertApp();
  const { app, bob, charlie } = world;
  const channel = await addChannel(app, bob);
  const monitor = await addWatchedMonitor(app, bob, [channel]);
  const add = (owner: typeof bob) =>
    addMonitor(app, owner, { url: "https://other.example/?key=secret", name: "other" });
  const [second, theirs] = [await add(bob), await add(charlie)];
  const outageOf = async (id: number) => {
    await recordDown(app, id);
    return (await app.as(world.alice).get(`/api/outages?target=monitor:${id}`)).body.outages[0]?.id ?? 0;
  };
  const [id, other, foreign] = [await outageOf(monitor), await outageOf(second), await outageOf(theirs)];
  const anyone = createClient(app.send);
  const sign = (outageId = id, channelId = channel) =>
    signLink(app.deps, { outageIds: [outageId], channelId, expiresAt: app.clock.now() + LINK_AGE });
  const open = (token: string, outage = id) =>
    anyone.get(`/api/outages/acknowledge-link?id=${outage}&token=${encodeURIComponent(token)}`);
  const use = (token: string, body: object = {}, outage = id) =>
    anyone.post("/api/outages/acknowledge-link", { id: outage, token, ...body });
  const codes = async (token: string, outage = id) => [
    (await open(token, outage)).body.code,
    (await use(token, {}, outage)).body.code,
  ];
  const read = async () => (await app.as(bob).get(`/api/outages?target=monitor:${monitor}`)).body.outages[0];
  return { ...world, channel, monitor, id, other, foreign, sign, open, use, codes, read };
};

describe("the link of a message", () => {
  it("shows what is wrong without a session, changes nothing, and has no address of the monitor", async () => {
    const { app, open, sign, read } = await setUp();
    const answer = await open(sign());
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body.outage).toEqual({
      target_type: "monitor",
      target_name: "shop",
      kind: "down",
      since: isoTime(app.clock.now()),
      started_after: null,
      error_code: "status",
      error_detail: { actual: 503, expected: "200" },
      figure: null,
      threshold: null,
      mount: null,
      subject: null,
      facts: null,
      now: isoTime(app.clock.now()),
      acknowledged: null,
    });
    expect((await read())?.acknowledged).toBeNull();
  });

  it("acknowledges with the name that is given, and the channel that it was in", async () => {
    const { app, use, sign, read, open } = await setUp();
    const { status, body } = await use(sign(), { name: " Bob ", note: "on it" });
    const link = { channel_type: "telegram", channel_name: "chat" };
    const expected = { by: "Bob", link, at: isoTime(app.clock.now()), until: null, note: "on it" };
    expect([status, body.acknowledged]).toEqual([200, expected]);
    expect((await read())?.acknowledged).toEqual(expected);
    expect((await open(sign())).body.outage.acknowledged).toEqual(expected);
    expect((await use(sign())).body.code).toBe("already_acknowledged");
  });

  it("takes a name and a note as one line, in one direction", async () => {
    const { use, sign } = await setUp();
    const { body } = await use(sign(), { name: "Bob\u202e\u2066\n<b>", note: "on\r\n\u2028it\u200f" });
    expect(body.acknowledged).toMatchObject({ by: "Bob <b>", note: "on it" });
  });

  it("needs no name, and works again once an acknowledgement has ended", async () => {
    const { app, bob, id, use, sign, read } = await setUp();
    await app.as(bob).post(`/api/outages/${id}/acknowledge`, { until: isoTime(app.clock.now() + MINUTE) });
    expect((await use(sign())).body.code).toBe("already_acknowledged");
    app.clock.set(app.clock.now() + MINUTE);
    expect((await use(sign())).status).toBe(200);
    expect((await read())?.acknowledged).toMatchObject({ by: null, note: null });
  });

  it("is of no use for another outage, of the same user or of others", async () => {
    const { codes, sign, other, foreign, channel } = await setUp();
    for (const outage of [other, foreign, 999])
      expect(await codes(sign(), outage)).toEqual(["link_invalid", "link_invalid"]);
    // Signed, but for an outage that the owner of the channel does not have.
    expect(await codes(sign(foreign, channel), foreign)).toEqual(["link_invalid", "link_invalid"]);
  });

  it("is of no use once the outage has ended, also for the next outage of the target", async () => {
    const { app, codes, sign, monitor } = await setUp();
    const token = sign();
    app.clock.set(app.clock.now() + MINUTE);
    await recover(app, monitor);
    expect(await codes(token)).toEqual(["outage_ended", "outage_ended"]);
    app.clock.set(app.clock.now() + MINUTE);
    await recordDown(app, monitor);
    expect(await codes(token)).toEqual(["outage_ended", "outage_ended"]);
  });

  it("ends after seven days, and with its channel", async () => {
    const { app, bob, codes, sign, channel } = await setUp();
    const token = sign();
    await app.as(bob).delete(`/api/notifications/channels/${channel}`);
    expect(await codes(token)).toEqual(["link_invalid", "link_invalid"]);
    app.clock.set(app.clock.now() + 7 * DAY);
    expect(await codes(token)).toEqual(["link_expired", "link_expired"]);
  });

  it("is refused when any part of its token is changed, and wrong tokens are rate limited without it", async () => {
    const { sign, open, use } = await setUp();
    const token = sign();
    const [channel = "", end = "", mac = ""] = token.split(".");
    const changed = [
      `z.${end}.${mac}`,
      `${channel}.zzzzzz.${mac}`,
      `${channel}.${end}.${"a".repeat(32)}`,
      "",
      "x",
      "é",
    ];
    for (const wrong of changed) expect((await open(wrong)).body.code).toBe("link_invalid");
    for (let turn = 0; turn < 60; turn++) await use("x");
    expect([(await open("x")).status, (await use("x")).status]).toEqual([429, 429]);
    expect((await open(token)).status).toBe(200);
    expect((await use(token)).status).toBe(200);
  });

  it("is signed with a secret of the installation, and left out where the address of the hub is unknown", () => {
    const grant = { outageIds: [1], channelId: 2, expiresAt: 3_000_000 };
    const secrets = { jwtSecret: "x".repeat(32), installationId: "a" };
    const token = signLink(secrets, grant);
    expect(verifyLink(secrets, [1], token)).toEqual(grant);
    expect(verifyLink({ ...secrets, jwtSecret: "y".repeat(32) }, [1], token)).toBeNull();
    expect(verifyLink({ ...secrets, installationId: "b" }, [1], token)).toBeNull();
    expect(linkOf(secrets, "https://watch.example/base", grant)).toBe(
      `https://watch.example/base/acknowledge/1?t=${token}`,
    );
    expect(linkOf(secrets, "", grant)).toBeNull();
  });
});

describe("the link of a message about several outages", () => {
  /** Five monitors of bob's that are down, and the link for them. */
  const setUpGroup = async () => {
    const world = await createAlertApp();
    const { app, bob } = world;
    const channel = await addChannel(app, bob);
    const ids: number[] = [];
    const monitors: number[] = [];
    for (const name of ["a", "b", "c", "d", "e"]) {
      const monitor = await addWatchedMonitor(app, bob, [channel], name);
      await recordDown(app, monitor);
      monitors.push(monitor);
      ids.push((await app.as(bob).get(`/api/outages?target=monitor:${monitor}`)).body.outages[0]?.id ?? 0);
    }
    const grant = { outageIds: ids.toReversed(), channelId: channel, expiresAt: app.clock.now() + LINK_AGE };
    const url = new URL(linkOf(app.deps, "https://watch.example", grant) ?? "");
    const link = {
      id: Number(url.pathname.split("/").at(-1)),
      token: url.searchParams.get("t") ?? "",
      more: url.searchParams.get("more") ?? "",
    };
    const anyone = createClient(app.send);
    const open = (more = link.more) =>
      anyone.get(`/api/outages/acknowledge-link?id=${link.id}&token=${link.token}&more=${more}`);
    const use = (body: object = {}) => anyone.post("/api/outages/acknowledge-link", { ...link, ...body });
    const acknowledged = async () =>
      (await app.as(bob).get("/api/outages")).body.outages.map((one) => one.acknowledged?.by ?? null).toReversed();
    return { ...world, monitors, ids, link, open, use, acknowledged };
  };

  it("acknowledges those that are open and not acknowledged, and says how many have ended", async () => {
    const { app, bob, monitors, ids, open, use, acknowledged, delivery } = await setUpGroup();
    await runDeliveries(app, delivery);
    await app.as(bob).post(`/api/outages/${ids[1]}/acknowledge`, {});
    app.clock.set(app.clock.now() + MINUTE);
    await recover(app, monitors[0] ?? 0);
    const { outage, others, ended } = (await open()).body;
    const shown = [outage, ...others].map((one) => [one.target_name, one.acknowledged?.by ?? null]);
    expect([shown, ended]).toEqual([
      [
        ["b", "bob"],
        ["c", null],
        ["d", null],
        ["e", null],
      ],
      1,
    ]);
    expect((await use({ name: "Robin" })).body.acknowledged).toMatchObject({ by: "Robin", until: null });
    expect(await acknowledged()).toEqual([null, "bob", "Robin", "Robin", "Robin"]);
    await runDeliveries(app, delivery);
    expect((await readDeliveries(app)).filter(({ purpose }) => purpose === "acknowledged")).toHaveLength(4);
    expect((await use()).body.code).toBe("already_acknowledged");
    app.clock.set(app.clock.now() + MINUTE);
    for (const monitor of monitors.slice(1)) await recover(app, monitor);
    expect([(await open()).body.code, (await use()).body.code]).toEqual(["outage_ended", "outage_ended"]);
  });

  it("is of no use for fewer or other outages", async () => {
    const { open, link } = await setUpGroup();
    for (const more of ["1-1-1", "1-1-1-1-1", "1-1-1-2"]) expect((await open(more)).body.code).toBe("link_invalid");
    for (const more of ["", "1-", "x y", Array(100).fill("1").join("-")]) expect((await open(more)).status).toBe(422);
    expect((await open(link.more)).status).toBe(200);
  });
});
