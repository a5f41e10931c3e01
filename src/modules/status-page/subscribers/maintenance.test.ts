import { describe, expect, it } from "bun:test";
import { isoTime } from "../../../lib/time";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { addSubscribers, startWithSubscribers } from "../../../testing/fixtures/pages/subscribers";
import { announceMaintenance } from "./maintenance";

type Hub = Awaited<ReturnType<typeof startWithSubscribers>>;

describe("scheduled maintenance", () => {
  const plan = async ({ app, client, shop }: Hub, from: number, minutes = 60) => {
    const schedule = {
      kind: "once",
      from: isoTime(app.clock.now() + from),
      to: isoTime(app.clock.now() + from + minutes * MINUTE),
    };
    return (await client.post("/api/windows", { title: "Upgrade", monitors: [shop], schedule })).body;
  };

  it("is announced a day ahead, at its start and at its end, each once", async () => {
    const hub = await startWithSubscribers();
    const { app, page, send, sent } = hub;
    await addSubscribers(app, page.id, ["dora@example.com"]);
    await plan(hub, 2 * DAY);
    const announce = async () => {
      await announceMaintenance(app.deps);
      await announceMaintenance(app.deps);
      await send();
      return sent.splice(0).map(({ headers }) => headers.subject);
    };
    expect(await announce()).toEqual([]);
    await app.clock.advance(DAY + MINUTE);
    expect(await announce()).toEqual(["[Acme] Scheduled maintenance: Upgrade"]);
    await app.clock.advance(DAY);
    expect(await announce()).toEqual(["[Acme] Maintenance started: Upgrade"]);
    await app.clock.advance(HOUR);
    expect(await announce()).toEqual(["[Acme] Maintenance completed: Upgrade"]);
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
