import { expect, it } from "bun:test";
import { createTestApp } from "../../../testing/app";
import { PASSWORD } from "../../../testing/fixtures/people";

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const zone = async () => (await app.as(bob).get("/api/auth/me")).body.time_zone;
  const signIn = (time_zone: unknown) =>
    app.anybody.post("/api/auth/login", { username: "bob", password: PASSWORD, time_zone });
  return { app, bob, zone, signIn };
};

it("the time zone of alerts is that of the last sign-in, or the one that was set since", async () => {
  const { app, bob, zone, signIn } = await setUp();
  expect(await zone()).toBeNull();
  expect((await signIn("Asia/Shanghai")).status).toBe(200);
  expect(await zone()).toBe("Asia/Shanghai");
  expect((await signIn(undefined)).status).toBe(200);
  expect(await zone()).toBe("Asia/Shanghai");
  expect((await app.as(bob).put("/api/auth/time-zone", { time_zone: "America/New_York" })).status).toBe(200);
  expect(await zone()).toBe("America/New_York");
});

it("an unknown time zone is refused, and does not keep anyone from signing in", async () => {
  const { app, bob, zone, signIn } = await setUp();
  for (const time_zone of ["Mars/Olympus", "", "+08:00", "UTC; drop", "x".repeat(65), 8, null]) {
    const { status, body } = await app.as(bob).put("/api/auth/time-zone", { time_zone });
    expect([time_zone, status, body.code]).toEqual([time_zone, 422, "validation"]);
  }
  expect((await signIn("Mars/Olympus")).status).toBe(200);
  expect(await zone()).toBeNull();
});
