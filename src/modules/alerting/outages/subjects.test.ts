import { expect, it } from "bun:test";
import { START } from "../../../testing/clock";
import { enrollAgent } from "../../../testing/fixtures/agents";
import { createAlertApp, readEvents } from "../../../testing/fixtures/alerts";
import { report } from "../report";

const setUp = async () => {
  const { app, bob } = await createAlertApp();
  const { id } = await enrollAgent(app, bob, { hostname: "web-1" });
  const write = (subject: string | undefined, at: number, state?: string) =>
    report(app.deps, "agent", [
      { targetId: id, kind: "container", subject, at, opens: state !== undefined, facts: state ? { state } : null },
    ]);
  const read = async () => {
    const { body } = await app.as(bob).get("/api/outages");
    return body.outages.map((one) => [one.subject, one.ended_at !== null, one.facts]);
  };
  return { app, id, write, read };
};

it("outages of parts of one server are opened and ended by themselves, with their latest facts", async () => {
  const { write, read } = await setUp();
  await write("nginx", START, "exited");
  await write("redis", START, "unhealthy");
  await write("nginx", START + 1000, "restarting");
  await write(undefined, START);
  expect(await read()).toEqual([
    ["redis", false, { state: "unhealthy" }],
    ["nginx", false, { state: "restarting" }],
  ]);
  await write("nginx", START + 2000);
  await write("nginx", START + 3000, "dead");
  expect(await read()).toEqual([
    ["nginx", false, { state: "dead" }],
    ["redis", false, { state: "unhealthy" }],
    ["nginx", true, { state: "restarting" }],
  ]);
});

it("events of one time about different parts are all stored, and a repeated one is not", async () => {
  const { app, write } = await setUp();
  for (const subject of ["nginx", "redis", "nginx"]) await write(subject, START, "exited");
  expect((await readEvents(app)).map(({ subject }) => subject)).toEqual(["nginx", "redis"]);
});
