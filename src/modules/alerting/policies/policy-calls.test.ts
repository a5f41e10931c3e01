import { describe, expect, it } from "bun:test";
import { POLICY_LIMITS } from "../../../shared/alert-policy";
import { addChannel, addPolicy, createAlertApp, saveRule } from "../../../testing/fixtures/alerts";
import { BOT_TOKEN } from "../../../testing/servers/providers";

const PATH = "/api/notifications/policies";
const QUIET = { days: [1, 2, 3], from: "22:00", to: "07:00", time_zone: "Asia/Shanghai", mode: "hold" };

const setUp = async (options?: Parameters<typeof createAlertApp>[0]) => {
  const made = await createAlertApp(options);
  const { app, bob, charlie } = made;
  const [chat, phone] = [await addChannel(app, bob), await addChannel(app, bob)];
  const client = app.as(bob);
  const read = async () => (await client.get(PATH)).body.policies;
  /** A policy with a change; "chat" and "phone" stand for the ids of the channels. */
  const bodyOf = (change: object = {}) => {
    const body = { name: "Night", steps: [{ after_minutes: 0, channels: [chat] }], ...change };
    return JSON.parse(JSON.stringify(body).replaceAll('"chat"', String(chat)).replaceAll('"phone"', String(phone)));
  };
  const step = (after_minutes: unknown, ...channels: unknown[]) => ({ after_minutes, channels });
  return { ...made, foreign: await addChannel(app, charlie), chat, phone, client, read, bodyOf, step };
};

describe("a policy", () => {
  it("is saved with every field, shown alone and with the settings, changed and deleted", async () => {
    const { client, read, chat, phone, bodyOf, step } = await setUp();
    const whole = {
      name: "Night",
      steps: [step(0, chat), step(10, phone, chat)],
      repeat_minutes: 30,
      repeat_max: 5,
      quiet: QUIET,
      group_seconds: 0,
    };
    const { status, body } = await client.post(PATH, { ...whole, name: " Night " });
    expect(status).toBe(201);
    const [stored] = await read();
    expect(stored).toEqual({
      id: body.data.id,
      ...whole,
      deleted_channels: [],
      used_by: 0,
      needed_by: 0,
      created_at: "2026-01-15T12:20:00.000Z",
      updated_at: "2026-01-15T12:20:00.000Z",
    } as typeof stored);
    expect((await client.get("/api/notifications")).body.data.policies).toEqual(await read());
    expect((await client.put(`${PATH}/${body.data.id}`, bodyOf({ name: "Day" }))).body).toEqual({
      success: true,
    } as never);
    expect(await read()).toMatchObject([
      { name: "Day", steps: [step(0, chat)], repeat_minutes: 0, repeat_max: 0, quiet: null, group_seconds: 10 },
    ]);
    expect((await client.delete(`${PATH}/${body.data.id}`)).body).toEqual({ success: true, used_by: 0 } as never);
    expect(await read()).toEqual([]);
  });

  const steps = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ after_minutes: index, channels: ["chat"] }));
  const first = (...channels: unknown[]) => ({ steps: [{ after_minutes: 0, channels }] });
  const after = (...minutes: unknown[]) => ({
    steps: minutes.map((after_minutes) => ({ after_minutes, channels: ["chat"] })),
  });
  const quiet = (change: object) => ({ quiet: { ...QUIET, ...change } });
  const refused: [what: string, change: object, path: string][] = [
    ["no name", { name: undefined }, "name"],
    ["a blank name", { name: "  " }, "name"],
    ["a long name", { name: "x".repeat(101) }, "name"],
    ["no step", { steps: [] }, "steps"],
    ["steps that are no list", { steps: "none" }, "steps"],
    ["six steps", { steps: steps(6) }, "steps"],
    ["a first step that is delayed", after(5), "steps.0.after_minutes"],
    ["steps at the same time", after(0, 10, 10), "steps.2.after_minutes"],
    ["steps that fall", after(0, 10, 5), "steps.2.after_minutes"],
    ["a step before the outage", after(0, -5), "steps.1.after_minutes"],
    ["a step after more than a day", after(0, 1441), "steps.1.after_minutes"],
    ["a step after half a minute", after(0, 0.5), "steps.1.after_minutes"],
    ["a step without channels", { steps: [...after(0).steps, { after_minutes: 5, channels: [] }] }, "steps.1.channels"],
    ["a step with 21 channels", first(...Array(21).fill("chat")), "steps.0.channels"],
    ["an unknown channel", first("chat", 999), "steps.0.channels"],
    ["the built-in channel without one", first(0), "steps.0.channels"],
    ["a channel that is no number", first("x"), "steps.0.channels.0"],
    ["reminders every 4 minutes", { repeat_minutes: 4 }, "repeat_minutes"],
    ["reminders every 1,441 minutes", { repeat_minutes: 1441 }, "repeat_minutes"],
    ["51 reminders", { repeat_max: 51 }, "repeat_max"],
    ["fewer than no reminders", { repeat_max: -1 }, "repeat_max"],
    ["quiet hours on no day", quiet({ days: [] }), "quiet.days"],
    ["quiet hours on one day twice", quiet({ days: [1, 1] }), "quiet.days"],
    ["quiet hours on day 0", quiet({ days: [0] }), "quiet.days.0"],
    ["quiet hours on day 8", quiet({ days: [8] }), "quiet.days.0"],
    ["quiet hours from 24:00", quiet({ from: "24:00" }), "quiet.from"],
    ["quiet hours to 7:00", quiet({ to: "7:00" }), "quiet.to"],
    ["quiet hours to 07:60", quiet({ to: "07:60" }), "quiet.to"],
    ["quiet hours on Mars", quiet({ time_zone: "Mars/Olympus" }), "quiet.time_zone"],
    ["quiet hours with an offset as zone", quiet({ time_zone: "+08:00" }), "quiet.time_zone"],
    ["a time zone of 100 characters", quiet({ time_zone: "A".repeat(100) }), "quiet.time_zone"],
    ["an unknown mode", quiet({ mode: "shout" }), "quiet.mode"],
    ["quiet hours without a mode", quiet({ mode: undefined }), "quiet.mode"],
    ["quiet hours as a text", { quiet: "always" }, "quiet"],
    ["grouping for 301 seconds", { group_seconds: 301 }, "group_seconds"],
    ["grouping for -1 seconds", { group_seconds: -1 }, "group_seconds"],
  ];
  it.each(refused)("with %s is refused, naming the field", async (_, change, path) => {
    const { app, bob, client, read, bodyOf } = await setUp();
    const stored = await addPolicy(app, bob, bodyOf({ name: "stored" }));
    for (const { status, body } of [
      await client.post(PATH, bodyOf(change)),
      await client.put(`${PATH}/${stored}`, bodyOf(change)),
    ]) {
      expect([status, body.code]).toEqual([422, "validation"]);
      expect(body.errors.map((error) => error.path)).toContain(path);
    }
    expect((await read()).map(({ name }) => name)).toEqual(["stored"]);
  });

  it("has a name of its own among the user's policies, also when two are created at once", async () => {
    const { app, bob, charlie, foreign, client, read, bodyOf, step } = await setUp();
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.post(PATH, bodyOf())));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body.errors).toMatchObject([{ path: "name", code: "name_taken" }]);
    const other = await addPolicy(app, bob, bodyOf({ name: "Day" }));
    const renamed = await client.put(`${PATH}/${other}`, bodyOf());
    expect([renamed.status, renamed.body.errors[0]?.path]).toEqual([422, "name"]);
    expect((await client.put(`${PATH}/${other}`, bodyOf({ name: "Day" }))).status).toBe(200);
    await addPolicy(app, charlie, { name: "Night", steps: [step(0, foreign)] });
    expect((await read()).map(({ name }) => name)).toEqual(["Night", "Day"]);
  });

  it("that two people change refuses the second one, with the values of the first", async () => {
    const { app, client, read, bodyOf } = await setUp();
    const { id } = (await client.post(PATH, bodyOf())).body.data;
    const version = (await read())[0]?.updated_at;
    await app.clock.advance(1000);
    const save = (body: object) => client.put(`${PATH}/${id}`, { ...bodyOf(), version, ...body });
    expect((await save({ repeat_minutes: 30 })).status).toBe(200);
    const second = await save({ repeat_minutes: 60 });
    expect([second.status, second.body.code]).toEqual([409, "rule_changed"]);
    const [stored] = await read();
    expect(stored?.repeat_minutes).toBe(30);
    expect(second.body.current).toEqual({ ...stored, version: stored?.updated_at });
    expect((await save({ repeat_minutes: 60, version: stored?.updated_at })).status).toBe(200);
    expect((await client.put(`${PATH}/${id}`, bodyOf({ repeat_minutes: 90 }))).status).toBe(200);
  });

  it("is refused beyond the limit, however many requests come at once", async () => {
    const { app, alice, step } = await setUp();
    const channel = await addChannel(app, alice);
    const create = (_: unknown, index: number) =>
      app.as(alice).post(PATH, { name: `policy ${index}`, steps: [step(0, channel)] });
    const answers = await Promise.all(Array.from({ length: POLICY_LIMITS.policies + 3 }, create));
    const codes = answers.flatMap(({ status, body }) => (status === 201 ? [] : [body.code]));
    expect(codes).toEqual(["conflict", "conflict", "conflict"]);
  });

  it("has its owner's channels only, and is neither shown to others nor changed by them", async () => {
    const { app, alice, bob, charlie, foreign, client, read, bodyOf, step } = await setUp({
      env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_CHAT_ID: "-1" },
    });
    for (const id of [foreign, 0]) {
      const { status, body } = await client.post(PATH, bodyOf({ steps: [step(0, id)] }));
      expect([status, body.errors]).toMatchObject([422, [{ path: "steps.0.channels", code: "channel_unknown" }]]);
    }
    await addPolicy(app, alice, { steps: [step(0, 0)] });
    const id = await addPolicy(app, bob, bodyOf());
    for (const user of [alice, charlie]) {
      const own = user === alice ? 0 : foreign;
      expect((await app.as(user).put(`${PATH}/${id}`, { name: "mine", steps: [step(0, own)] })).status).toBe(404);
      expect((await app.as(user).delete(`${PATH}/${id}`)).status).toBe(404);
      expect((await app.as(user).get(PATH)).text).not.toContain("Night");
    }
    expect(await read()).toMatchObject([{ id, name: "Night" }]);
  });

  it("keeps a channel that was deleted until it is saved again", async () => {
    const { app, bob, client, read, chat, phone, bodyOf, step } = await setUp();
    const id = await addPolicy(app, bob, bodyOf({ steps: [step(0, chat, phone), step(5, phone)] }));
    const save = (...sent: object[]) => client.put(`${PATH}/${id}`, bodyOf({ steps: sent }));
    await client.delete(`/api/notifications/channels/${phone}`);
    const [shown] = await read();
    expect(shown).toMatchObject({ steps: [step(0, chat, phone), step(5, phone)], deleted_channels: [phone] });
    // The remaining steps must notify a channel.
    const emptied = await save(step(0, chat), step(5, phone));
    expect([emptied.status, emptied.body.errors[0]?.path]).toEqual([422, "steps.1.channels"]);
    expect((await save(step(0, chat, phone))).status).toBe(200);
    expect(await read()).toMatchObject([{ steps: [step(0, chat)], deleted_channels: [] }]);
    const unknown = await save(step(0, chat, phone));
    expect([unknown.status, unknown.body.errors[0]?.path]).toEqual([422, "steps.0.channels"]);
  });

  it("is saved while one of its channels is deleted", async () => {
    const { app, bob, client, read, chat, phone, bodyOf, step } = await setUp();
    const id = await addPolicy(app, bob, bodyOf({ steps: [step(0, chat, phone)] }));
    const answers = await Promise.all([
      client.put(`${PATH}/${id}`, bodyOf({ steps: [step(0, chat, phone)], repeat_minutes: 5 })),
      client.delete(`/api/notifications/channels/${phone}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [stored] = await read();
    const kept = stored?.steps[0]?.channels.includes(phone);
    expect(stored).toMatchObject({ repeat_minutes: 5, deleted_channels: kept ? [phone] : [] });
  });

  it("is given up by the rules that use it when it is deleted, and the answer says how many these were", async () => {
    const { app, bob, client, read, chat, phone, bodyOf } = await setUp();
    const id = await addPolicy(app, bob, bodyOf());
    for (const target_type of ["global-monitor", "global-agent"])
      await saveRule(app, bob, { target_type, channels: [phone], policy_id: id });
    expect(await read()).toMatchObject([{ id, used_by: 2, steps: [{ channels: [chat] }] }]);
    expect((await client.delete(`${PATH}/${id}`)).body).toMatchObject({ used_by: 2 });
    const { monitors, agents } = (await client.get("/api/notifications")).body.data.settings;
    expect([monitors, agents]).toMatchObject(Array(2).fill({ policyId: null, channels: [phone], enabled: true }));
    expect((await client.delete(`${PATH}/${id}`)).status).toBe(404);
  });
});
