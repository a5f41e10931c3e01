import { describe, expect, it } from "bun:test";
import { isoTime } from "../../../lib/time";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { START } from "../../../testing/clock";
import { addSubscribers, decoded, startWithSubscribers } from "../../../testing/fixtures/pages/subscribers";
import { serveTarget } from "../../../testing/servers/targets";
import { announceMaintenance } from "./maintenance";

type Hub = Awaited<ReturnType<typeof startWithSubscribers>>;

describe("scheduled maintenance", () => {
  const bodyOf = ({ shop }: Hub, from: number, minutes: number) => {
    const schedule = { kind: "once" as const, from: isoTime(from), to: isoTime(from + minutes * MINUTE) };
    return { title: "Upgrade", monitors: [shop], schedule };
  };
  const plan = async (hub: Hub, from: number, minutes = 60) =>
    (await hub.client.post("/api/windows", bodyOf(hub, hub.app.clock.now() + from, minutes))).body.window;
  const startWithDora = async (env: Record<string, string> = {}) => {
    const hub = await startWithSubscribers({ env });
    const { app, page, send, sent } = hub;
    await addSubscribers(app, page.id, ["dora@example.com"]);
    /** Announces twice, and returns the mails. */
    const announce = async () => {
      await announceMaintenance(app.deps);
      await announceMaintenance(app.deps);
      await send();
      return sent
        .splice(0)
        .map(({ headers, body }) => [
          headers.subject?.replace("[Acme] ", "").replace(": Upgrade", ""),
          /From .* UTC/.exec(decoded(body))?.[0].replace(/Jan |, 2026,/g, ""),
        ]);
    };
    return { ...hub, announce };
  };

  it("is announced a day ahead, at its start and at its end, each once", async () => {
    const hub = await startWithDora();
    const { app, announce } = hub;
    await plan(hub, 2 * DAY);
    const span = "From 17 12:20 UTC to 17 13:20 UTC";
    expect(await announce()).toEqual([]);
    await app.clock.advance(DAY + MINUTE);
    expect(await announce()).toEqual([["Scheduled maintenance", span]]);
    await app.clock.advance(DAY);
    expect(await announce()).toEqual([["Maintenance started", span]]);
    await app.clock.advance(HOUR);
    expect(await announce()).toEqual([["Maintenance completed", span]]);
    expect(await announce()).toEqual([]);
  });

  it("is announced with its new times, also far ahead and while it runs", async () => {
    const hub = await startWithDora();
    const { app, client, announce } = hub;
    const { id } = await plan(hub, HOUR);
    const change = async (from: number, minutes: number) => {
      await client.put(`/api/windows/${id}`, bodyOf(hub, from, minutes));
      return announce();
    };
    expect(await announce()).toEqual([["Scheduled maintenance", "From 15 13:20 UTC to 15 14:20 UTC"]]);
    await app.clock.advance(2 * MINUTE);
    expect(await change(START + 3 * DAY, 60)).toEqual([
      ["Maintenance time changed", "From 18 12:20 UTC to 18 13:20 UTC"],
    ]);
    await app.clock.advance(2 * MINUTE);
    const from = START + HOUR;
    expect(await change(from, 90)).toEqual([["Maintenance time changed", "From 15 13:20 UTC to 15 14:50 UTC"]]);
    await app.clock.advance(HOUR);
    expect(await announce()).toEqual([["Maintenance started", "From 15 13:20 UTC to 15 14:50 UTC"]]);
    await app.clock.advance(2 * MINUTE);
    expect(await change(from, 30)).toEqual([["Maintenance time changed", "From 15 13:20 UTC to 15 13:50 UTC"]]);
    await app.clock.advance(2 * MINUTE);
    await client.post(`/api/windows/${id}/end`);
    expect(await announce()).toEqual([["Maintenance completed", "From 15 13:20 UTC to 15 13:28 UTC"]]);
  });

  it("is announced as cancelled if it was announced before, and as completed if it had begun", async () => {
    const hub = await startWithDora({ PRIVATE_TARGETS: "all" });
    const { app, client, page, announce } = hub;
    const far = await plan(hub, 2 * DAY);
    const near = await plan(hub, HOUR);
    const running = await plan(hub, 20 * MINUTE);
    const span = "From 15 13:20 UTC to 15 14:20 UTC";
    expect(await announce()).toHaveLength(2);
    await app.clock.advance(21 * MINUTE);
    expect(await announce()).toEqual([["Maintenance started", "From 15 12:40 UTC to 15 13:40 UTC"]]);
    const hook = serveTarget();
    await addSubscribers(app, page.id, [hook.url], { kind: "webhook" });
    for (const { id } of [far, near]) await client.delete(`/api/windows/${id}`);
    expect(await announce()).toEqual([["Maintenance cancelled", span]]);
    expect(hook.requests.map(({ body }) => JSON.parse(body).incident)).toMatchObject([
      {
        ...{ name: "Upgrade", status: "completed", resolved_at: isoTime(app.clock.now()) },
        ...{ scheduled_for: isoTime(START + HOUR), components: [{ name: "Shop" }] },
        incident_updates: [{ status: "completed", body: "Upgrade: cancelled" }],
      },
    ]);
    await client.delete(`/api/windows/${running.id}`);
    expect(await announce()).toEqual([["Maintenance completed", "From 15 12:40 UTC to 15 12:41 UTC"]]);
    await app.clock.advance(DAY);
    expect(await announce()).toEqual([]);
  });

  it("is not announced where it recurs, begins at once, or is about nothing on the page", async () => {
    const hub = await startWithSubscribers();
    const { app, client, mail, page, send, sent, shop } = hub;
    await addSubscribers(app, page.id, ["dora@example.com"]);
    await client.post("/api/windows/start", { minutes: 20, monitors: [shop] });
    await plan(hub, 5 * MINUTE);
    const weekly = { kind: "weekly", days: [1, 2, 3, 4, 5, 6, 7], at: "20:00", minutes: 60, zone: "UTC" };
    const { status } = await client.post("/api/windows", { title: "Weekly", monitors: [mail], schedule: weekly });
    expect(status).toBe(201);
    await announceMaintenance(app.deps);
    await app.clock.advance(10 * MINUTE);
    await announceMaintenance(app.deps);
    await send();
    expect(sent).toEqual([]);
  });
});
