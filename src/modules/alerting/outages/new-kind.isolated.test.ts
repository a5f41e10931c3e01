import "../../../testing/fixtures/new-kinds/fan";

import { expect, it } from "bun:test";
import { LANGUAGES } from "../../../shared/language";
import { EVENT_KINDS, eventKindsOf, type OutageKind } from "../../../shared/notifications";
import { START } from "../../../testing/clock";
import { enrollAgent } from "../../../testing/fixtures/agents";
import { addChannel, createAlertApp, runDeliveries, saveRule } from "../../../testing/fixtures/alerts";
import { readDocument } from "../../../testing/openapi";
import { readSources } from "../../../testing/sources";
import { digestOf } from "../messages/digest";
import { messageOf } from "../messages/message";
import { messageFor } from "../messages/purpose";
import { report } from "../report";
import { exampleOf } from "../templates/built-in";

/*
 * A kind of outage that is added to the list of kinds and to the words of both languages, and nowhere else, works in every
 * part of the hub.
 */

const fan = "fan" as OutageKind;
const { opening, closing } = eventKindsOf(fan);

it("an outage of a new kind is listed, sent and answered by the API, and its end too", async () => {
  const { app, bob, delivery, telegram } = await createAlertApp();
  const client = app.as(bob);
  await client.put("/api/auth/language", { language: "en-US" });
  await saveRule(app, bob, { target_type: "global-agent", channels: [await addChannel(app, bob)] });
  const { id } = await enrollAgent(app, bob, { hostname: "web-1" });
  const change = { targetId: id, kind: fan, subject: "fan1" };
  await report(app.deps, "agent", [{ ...change, at: START, opens: true, facts: { state: "stalled" } }]);
  await runDeliveries(app, delivery);
  const [outage] = (await client.get("/api/outages")).body.outages;
  expect(outage).toMatchObject({ kind: "fan", subject: "fan1", facts: { state: "stalled" } });
  const dashboard = (await client.get("/api/dashboard")).body;
  expect([dashboard.problems[0]?.kind, dashboard.events[0]?.kind]).toEqual([fan, fan]);

  await app.clock.advance(60_000);
  await report(app.deps, "agent", [{ ...change, at: app.clock.now(), opens: false }]);
  await runDeliveries(app, delivery);
  const texts = telegram.texts().map((text) => text.split("\n").slice(0, 2));
  expect(texts).toEqual([
    ["🟠 web-1: fan fan1 stopped", "State: stalled"],
    ["🟢 web-1: fan fan1 turns again", "It lasted 1 minute."],
  ]);
  const { timeline } = (await client.get(`/api/outages/${outage?.id}`)).body;
  // The rule was changed right before.
  expect(timeline.map(({ kind }) => kind)).toEqual(["edited", "began", "message", "ended", "message"]);
  const { events } = (await client.get("/api/notifications/history")).body;
  expect(events.map(({ kind }) => kind)).toEqual([closing, opening]);
});

it("every text of a new kind is rendered in both languages", () => {
  for (const language of LANGUAGES)
    for (const kind of [opening, closing]) {
      const reader = { language };
      const subject = exampleOf(kind, START);
      const message = messageOf(subject, reader, "");
      const purpose = { sequence: 2, event: subject.event, dueAt: START + 60_000, name: "web-1", outage: null };
      const messages = (["alert", "reminder", "acknowledged", "flapping", "settled"] as const).map((one) =>
        messageFor(message, { ...purpose, purpose: one }, reader),
      );
      const others = ["fan1", "fan2"].map((part) => ({ ...subject, event: { ...subject.event, subject: part } }));
      const text = JSON.stringify([...messages, digestOf(others, reader, "", { fits: () => true })]);
      expect(text).toMatch(language === "en-US" ? /fan fan1/ : /风扇 fan1/);
      expect(text).not.toMatch(/undefined|\{\{/);
    }
});

it("a new kind has a built-in template, and its meaning is in the API document", async () => {
  const { app, bob } = await createAlertApp();
  const { templates } = (await app.as(bob).get("/api/notifications")).body.data;
  const own = templates.filter(({ name }) => name === opening);
  expect(own.map(({ title }) => title).toSorted()).toEqual([
    "🟠 {{name}}: fan {{subject}} stopped",
    "🟠 {{name}}：风扇 {{subject}} 停转",
  ]);
  expect(templates.length).toBe(EVENT_KINDS.length * LANGUAGES.length);
  expect(JSON.stringify(await readDocument(app))).toContain("`fan`: a fan stands still");
});

it("the events of a kind are named in the list of kinds only", () => {
  const naming = readSources("src", "web")
    .filter(({ path, text }) => !/\.test\.tsx?$|^src\/testing\//.test(path) && /disk_filling/.test(text))
    .map(({ path }) => path);
  expect(naming).toEqual(["src/shared/outages/kinds.ts"]);
});
