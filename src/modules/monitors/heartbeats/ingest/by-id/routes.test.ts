import { expect, it } from "bun:test";
import { createTestApp } from "../../../../../testing/app";
import { addHeartbeat } from "../../../../../testing/fixtures/heartbeats";
import { addMonitor } from "../../../../../testing/fixtures/monitors";

const setUp = async () => {
  const app = await createTestApp();
  const { bob, charlie } = await app.people();
  const heartbeat = await addHeartbeat(app, bob);
  const { key } = (await app.as(bob).post("/api/keys", { name: "deploys", scopes: ["ping"] })).body;
  const byKey = app.as({ ...bob, token: key });
  return { app, bob, charlie, byKey, path: `/api/monitors/${heartbeat.id}/pings`, ...heartbeat };
};

it("a key for pings reports to a heartbeat by its id, and does not see it", async () => {
  const { byKey, path, id, detail, pings } = await setUp();
  expect((await byKey.post(path)).status).toBe(200);
  expect((await detail()).status).toBe("up");
  await byKey.post(path, { kind: "log", output: "Deployed 1.4.2" });
  expect((await pings()).map(({ kind, body }) => [kind, body])).toEqual([
    ["log", "Deployed 1.4.2"],
    ["success", null],
  ]);
  for (const hidden of [path, `/api/monitors/${id}`]) expect((await byKey.get(hidden)).status).toBe(403);
});

it("an exit status other than 0 is a failure", async () => {
  const { byKey, path, detail } = await setUp();
  await byKey.post(path, { exit_status: 0 });
  expect((await detail()).status).toBe("up");
  await byKey.post(path, { exit_status: 17 });
  expect(await detail()).toMatchObject({ status: "down", error_code: "heartbeat_exit", error_detail: { status: 17 } });
});

it("a ping to another user's heartbeat, or to a monitor of another kind, is answered 404", async () => {
  const { app, charlie, byKey, bob, path, pings } = await setUp();
  expect((await app.as(charlie).post(path)).body.code).toBe("not_found");
  const other = await addMonitor(app, bob, { url: "http://192.0.2.1/", active: false });
  expect((await byKey.post(`/api/monitors/${other}/pings`)).body.code).toBe("not_found");
  expect(await pings()).toEqual([]);
});

it("fields of a ping that are not valid are named", async () => {
  const { byKey, path } = await setUp();
  const sent = { kind: "mute", exit_status: 256, rid: "a b", output: 5 };
  const { status, body } = await byKey.post(path, sent);
  expect([status, ...body.errors.map(({ path }) => path).toSorted()]).toEqual([
    ...[422, "exit_status", "kind", "output", "rid"],
  ]);
});
