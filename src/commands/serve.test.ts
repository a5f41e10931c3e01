import { describe, expect, it } from "bun:test";
import type { Database } from "../db/database";
import { appSettings, users } from "../db/schema";
import { createAdministrator, firstAccountNotice } from "../modules/accounts/account/registration";
import { createTestApp } from "../testing/app";
import { localAddress } from "./serve";

const env = { ADMIN_USERNAME: "alice", ADMIN_PASSWORD: "the first password" };

/** A database whose transactions fail. */
const failing = (db: Database, reason: string): Database =>
  Object.assign(Object.create(db), { transact: () => Promise.reject(new Error(reason)) });

describe("the administrator named by ADMIN_USERNAME", () => {
  it("is created at the first start and can sign in", async () => {
    const { deps, anybody, db } = await createTestApp({ env });
    await createAdministrator(deps);
    const sent = { username: "alice", password: "the first password" };
    expect((await anybody.post("/api/auth/login", sent)).body.user).toMatchObject({ username: "alice", role: "admin" });
    expect(await db.$count(users)).toBe(1);
  });

  it("is created once: another start or changed settings change nothing", async () => {
    const { deps, db } = await createTestApp({ env });
    await Promise.all([createAdministrator(deps), createAdministrator(deps)]);
    const before = await db.select().from(users);
    const admin = { username: "alice2", password: "another password" };
    await createAdministrator({ ...deps, config: { ...deps.config, admin } });
    expect(await db.select().from(users)).toEqual(before);
  });

  it("is created by the next start when one was killed before, also by a version that marked it as created", async () => {
    const { deps, anybody, db } = await createTestApp({ env });
    await db.insert(appSettings).values({ key: "admin_created", value: "a start that was killed" });
    const killed = createAdministrator({
      ...deps,
      db: failing(db, "killed"),
    });
    await expect(killed).rejects.toThrow("killed");
    expect(await db.$count(users)).toBe(0);
    await createAdministrator(deps);
    const sent = { username: "alice", password: "the first password" };
    expect((await anybody.post("/api/auth/login", sent)).body.user).toMatchObject({ role: "admin" });
  });

  it("stays the only administrator when a user registers through the public form", async () => {
    const { anybody, db } = await createTestApp({ env });
    expect((await anybody.get("/api/auth/registration")).body).toMatchObject({ open: true, first: false });
    await anybody.post("/api/auth/register", { username: "mallory", password: "long enough" });
    expect((await db.select().from(users)).map(({ role }) => role)).toEqual(["user"]);
  });

  it("ends the start with an error that names the remedy and not the password when it cannot be created", async () => {
    const { deps } = await createTestApp({ env });
    const failure = await createAdministrator({ ...deps, db: failing(deps.db, "disk full") }).catch((error) =>
      String(error),
    );
    expect(failure).toInclude("The administrator alice could not be created: ");
    expect(failure).toInclude("ADMIN_USERNAME");
    expect(failure).not.toInclude("the first password");
  });

  it("prevents registration of another first account", async () => {
    const { deps, anybody, db } = await createTestApp({ env });
    await createAdministrator(deps);
    await anybody.post("/api/auth/register", { username: "bob", password: "long enough" });
    expect((await db.select().from(users)).map(({ role }) => role)).toEqual(["admin", "user"]);
  });

  it("does not take over an account that has the name", async () => {
    const { deps, db, people } = await createTestApp({ env });
    await people();
    const before = await db.select().from(users);
    await createAdministrator(deps);
    expect(await db.select().from(users)).toEqual(before);
  });

  it("is not created when the settings are empty", async () => {
    const { deps, db } = await createTestApp();
    await createAdministrator(deps);
    expect(await db.$count(users)).toBe(0);
  });
});

describe("the start log", () => {
  const addressOf = (HOST: string) => localAddress({ host: HOST, basePath: "/" }, 8080);

  it("names the address that a browser on this machine can open", () => {
    expect(addressOf("0.0.0.0")).toBe("http://localhost:8080/");
    expect(addressOf("::")).toBe("http://localhost:8080/");
    expect(addressOf("192.0.2.2")).toBe("http://192.0.2.2:8080/");
    expect(addressOf("::1")).toBe("http://[::1]:8080/");
    expect(localAddress({ host: "127.0.0.1", basePath: "/up/" }, 80)).toBe("http://127.0.0.1:80/up/");
  });

  it("shows where to create the first account, with one setup code for all instances, until an account exists", async () => {
    const { deps, people } = await createTestApp();
    const notice = await firstAccountNotice(deps, "http://localhost:8080/up/");
    expect(notice?.setup_code).toMatch(/^([A-Z2-9]{5}-){3}[A-Z2-9]{5}$/);
    expect(notice?.open).toBe(`http://localhost:8080/up/register#${notice?.setup_code}`);
    expect(await firstAccountNotice(deps, "http://localhost/")).toMatchObject({ setup_code: notice?.setup_code });
    await people();
    expect(await firstAccountNotice(deps, "http://localhost/")).toBeNull();
  });
});
