import { describe, expect, it } from "bun:test";
import { users } from "../db/schema";
import { createTestApp } from "../testing/app";
import { createAdministrator } from "./serve";

const env = { ADMIN_USERNAME: "alice", ADMIN_PASSWORD: "the first password" };

describe("the administrator that the settings name", () => {
  it("is made at the first start, and can sign in", async () => {
    const { deps, anybody, db } = await createTestApp({ env });
    await createAdministrator(deps);
    const sent = { username: "alice", password: "the first password" };
    expect((await anybody.post("/api/auth/login", sent)).body.user).toMatchObject({ username: "alice", role: "admin" });
    expect(await db.$count(users)).toBe(1);
  });

  it("is made once: a second start, or a changed password, changes nothing", async () => {
    const { deps, db } = await createTestApp({ env });
    await Promise.all([createAdministrator(deps), createAdministrator(deps)]);
    const before = await db.select().from(users);
    const admin = { username: "alice2", password: "another password" };
    await createAdministrator({ ...deps, config: { ...deps.config, admin } });
    expect(await db.select().from(users)).toEqual(before);
    await db.delete(users);
    await createAdministrator(deps);
    expect(await db.$count(users)).toBe(0);
  });

  it("leaves the first place to nobody else", async () => {
    const { deps, anybody, db } = await createTestApp({ env });
    await createAdministrator(deps);
    await anybody.post("/api/auth/register", { username: "bob", password: "long enough" });
    expect((await db.select().from(users)).map(({ role }) => role)).toEqual(["admin", "user"]);
  });

  it("does not take over an account that has the name, and says so without the password", async () => {
    const { deps, db, people, logged } = await createTestApp({ env });
    await people();
    const before = await db.select().from(users);
    await createAdministrator(deps);
    expect(await db.select().from(users)).toEqual(before);
    expect(logged.join("")).toInclude("was not made");
    expect(logged.join("")).not.toInclude("the first password");
  });

  it("is nobody when the settings name nobody", async () => {
    const { deps, db } = await createTestApp();
    await createAdministrator(deps);
    expect(await db.$count(users)).toBe(0);
  });
});
