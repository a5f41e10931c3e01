import { expect, it } from "bun:test";
import { createTestApp } from "../../../testing/app";
import { addMonitor } from "../../../testing/fixtures/monitors";

/** Bob has a chain of three monitors, each depending on the next. */
const setUp = async () => {
  const app = await createTestApp();
  const { bob, charlie } = await app.people();
  const ids: number[] = [];
  for (const name of ["shop", "api", "router"])
    ids.push(await addMonitor(app, bob, { url: `https://${name}.example/`, name }));
  const [shop = 0, api = 0, router = 0] = ids;
  const monitor = (id: number) => ({ type: "monitor" as const, id });
  const depend = (user: typeof bob, child: number, parents: number[]) =>
    app.as(user).put(`/api/monitors/${child}/dependencies`, { parents: parents.map(monitor) });
  await depend(bob, shop, [api]);
  await depend(bob, api, [router]);
  const file = JSON.parse((await app.as(bob).get("/api/export")).text);
  /** The names of the parents of each of a user's monitors, by name. */
  const shown = async (user: typeof bob) => {
    const { monitors } = (await app.as(user).get("/api/monitors")).body;
    const read = async ({ id, name }: (typeof monitors)[number]) => {
      const { parents } = (await app.as(user).get(`/api/monitors/${id}/dependencies`)).body;
      return [name, parents.map((parent) => parent.name)];
    };
    return Object.fromEntries(await Promise.all(monitors.map(read)));
  };
  return { app, bob, charlie, shop, api, router, monitor, depend, file, shown };
};

it("an import adds dependencies by the ids of its items, and only once", async () => {
  const { app, bob, charlie, file, shown } = await setUp();
  const first = (await app.as(charlie).post("/api/import", file)).body;
  expect([first.created.dependencies, first.skipped.dependencies]).toEqual([2, 0]);
  expect(await shown(charlie)).toEqual({ shop: ["api"], api: ["router"], router: [] });
  const second = (await app.as(charlie).post("/api/import", file)).body;
  expect([second.created.dependencies, second.skipped.dependencies]).toEqual([0, 2]);
  expect((await app.as(bob).post("/api/import", file)).body.skipped.dependencies).toBe(2);
});

it("an import leaves out what would form a cycle with the dependencies that are there", async () => {
  const { app, bob, shop, router, depend, file, shown } = await setUp();
  await depend(bob, shop, []);
  await depend(bob, router, [shop]);
  const { body } = await app.as(bob).post("/api/import", file);
  expect([body.created.dependencies, body.skipped.dependencies]).toEqual([0, 2]);
  expect(await shown(bob)).toEqual({ shop: [], api: ["router"], router: ["shop"] });
});

it("a file with a cycle, with more than five parents, or with a target that is not in it is refused", async () => {
  const { app, charlie, shop, api, router, monitor, file } = await setUp();
  const bad = [
    { [shop]: [monitor(shop)] },
    { ...file.dependencies.monitors, [router]: [monitor(shop)] },
    { [shop]: [monitor(9999)] },
    { 9999: [monitor(shop)] },
    { [shop]: [monitor(api)], [`0${shop}`]: [monitor(router)] },
    { [shop]: Array(6).fill(monitor(api)) },
    { [shop]: [{ type: "user", id: api }] },
  ];
  for (const monitors of bad) {
    const { status, body } = await app.as(charlie).post("/api/import", { ...file, dependencies: { monitors } });
    expect([monitors, status]).toEqual([monitors, 422]);
    expect(body.errors[0]?.path).toStartWith("dependencies.monitors.");
  }
});
