import { expect, it } from "bun:test";
import { createTestApp } from "../../../../testing/app";

const KEY = "Zk3cXr8mQ2vT1aBcD4eF5g";
const FILE = { format: "wakeful-configuration", version: 1 };

const start = async () => {
  const app = await createTestApp();
  const people = await app.people();
  const of = (who: (typeof people)["bob"]) => {
    const client = app.as(who);
    const keys = async () =>
      JSON.parse((await client.get("/api/ping-keys")).text).keys.map(({ key }: { key: string }) => key);
    const send = async (file: object) => JSON.parse((await client.post("/api/import", file)).text);
    return { client, keys, send, export: async () => JSON.parse((await client.get("/api/export")).text) };
  };
  return { app, bob: of(people.bob), charlie: of(people.charlie) };
};

it("ping keys are in an exported file, and come back where no other team has them", async () => {
  const { app, bob, charlie } = await start();
  await bob.client.post("/api/ping-keys", { key: KEY });
  const file = await bob.export();
  expect(file.ping_keys).toEqual([{ key: KEY }]);
  expect((await bob.send(file)).skipped).toMatchObject({ ping_keys: 1 });
  const theirs = await charlie.send(file);
  expect([theirs.created.ping_keys, theirs.notes]).toEqual([
    0,
    [{ path: "ping_keys.0", code: "ping_key_taken", message: expect.stringContaining("Zk3c…") }],
  ]);

  const { id } = JSON.parse((await bob.client.get("/api/ping-keys")).text).keys[0];
  await bob.client.delete(`/api/ping-keys/${id}`);
  expect((await charlie.send(file)).created).toMatchObject({ ping_keys: 1 });
  expect([await bob.keys(), await charlie.keys()]).toEqual([[], [KEY]]);
  expect((await app.anybody.get(`/ping/${KEY}/job?create=1`)).status).toBe(201);
});

it("a file with more ping keys than a team may have, or with none, is refused", async () => {
  const { bob } = await start();
  await bob.client.post("/api/ping-keys", {});
  const ping_keys = Array.from({ length: 20 }, (_, index) => ({ key: `${KEY}${index}` }));
  expect((await bob.send({ ...FILE, ping_keys })).code).toBe("too_many_ping_keys");
  expect((await bob.send({ ...FILE, ping_keys: [{ key: "short" }] })).code).toBe("validation");
  expect(await bob.keys()).toHaveLength(1);
});

it("a key with the scope apply imports ping keys and creates them, and does not list them", async () => {
  const { app, bob } = await start();
  const made = await bob.client.post("/api/keys", { name: "CI", scopes: ["apply"] });
  const caller = app.as({ token: JSON.parse(made.text).key } as never);
  expect((await caller.post("/api/ping-keys", { key: KEY })).status).toBe(201);
  expect((await caller.post("/api/import", { ...FILE, ping_keys: [{ key: `${KEY}2` }] })).status).toBe(200);
  expect((await caller.get("/api/ping-keys")).status).toBe(403);
  expect(await bob.keys()).toEqual([KEY, `${KEY}2`]);
});
