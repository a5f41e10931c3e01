import { describe, expect, it } from "bun:test";
import { createTestApp } from "../../../testing/app";
import { createClient } from "../../../testing/client";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  recordDown,
  runDeliveries,
} from "../../../testing/fixtures/alerts";
import { PASSWORD } from "../../../testing/fixtures/people";
import { createAdministrator } from "./registration";

const setUp = async (env: Record<string, string> = {}) => {
  const app = await createTestApp({ env });
  const { bob } = await app.people();
  const signIn = async (body: object, headers: Record<string, string> = {}) => {
    const sent = JSON.stringify({ username: "bob", password: PASSWORD, ...body });
    const init = { method: "POST", body: sent, headers: { "content-type": "application/json", ...headers } };
    const response = await app.send(new Request("http://console.test/api/auth/login", init));
    expect(response.status).toBe(200);
  };
  /** The language after a call with these headers. */
  const read = async (headers: Record<string, string> = {}, token = bob.token) => {
    const init = { headers: { authorization: `Bearer ${token}`, ...headers } };
    return (await (await app.send(new Request("http://console.test/api/auth/me", init))).json()).language;
  };
  return { app, bob, signIn, read };
};

describe("the language of alerts", () => {
  it("is that of the first sign-in, and a later one in another language keeps it", async () => {
    const { signIn, read } = await setUp();
    await signIn({ language: "en-US", time_zone: "Europe/Berlin" }, { "accept-language": "zh-CN" });
    expect(await read()).toBe("en-US");
    await signIn({ language: "zh-CN", time_zone: "Europe/Berlin" });
    expect(await read()).toBe("en-US");
  });

  it("is DEFAULT_LANGUAGE until a request states one", async () => {
    for (const language of ["zh-CN", "en-US"]) {
      const { signIn, read } = await setUp({ DEFAULT_LANGUAGE: language });
      await signIn({});
      for (const accepted of ["", "*", "fr", ";;q=,,\u00e9", "en;q=0, zh;q=0"])
        expect([accepted, await read({ "accept-language": accepted })]).toEqual([accepted, language]);
    }
  });

  it("is what Accept-Language of the first sign-in states that has any, and a later one keeps it", async () => {
    const { signIn, read } = await setUp();
    await signIn({}, { "accept-language": "fr, en-GB;q=0.5" });
    expect(await read()).toBe("en-US");
    await signIn({}, { "accept-language": "zh-CN" });
    expect(await read({ "accept-language": "zh-CN" })).toBe("en-US");
  });

  it("is what Accept-Language of the first call states, by session or API key", async () => {
    const { read } = await setUp();
    expect(await read({ "accept-language": "en" })).toBe("en-US");
    expect(await read()).toBe("en-US");
    const other = await setUp();
    const { body } = await other.app.as(other.bob).post("/api/keys", { name: "ansible", scope: "read" });
    expect(await other.read({ "accept-language": "en" }, body.key as unknown as string)).toBe("en-US");
    expect(await other.read()).toBe("en-US");
  });

  it("stays the one that was set", async () => {
    const { app, bob, read } = await setUp({ DEFAULT_LANGUAGE: "en-US" });
    await app.as(bob).put("/api/auth/language", { language: "zh-CN" });
    expect(await read({ "accept-language": "en" })).toBe("zh-CN");
  });

  it("that cannot be stored does not fail a call that reads", async () => {
    const { app, read } = await setUp();
    const update = app.db.update;
    app.db.update = () => {
      throw new Error("the disk is full");
    };
    expect(await read({ "accept-language": "en" })).toBe("zh-CN");
    app.db.update = update;
    expect(await read({ "accept-language": "en" })).toBe("en-US");
  });
});

it("alerts of an account that no one has signed in to are in DEFAULT_LANGUAGE", async () => {
  const { app, bob, delivery, telegram } = await createAlertApp({ env: { DEFAULT_LANGUAGE: "en-US" } });
  const id = await addWatchedMonitor(app, bob, [await addChannel(app, bob)], "Shop");
  await recordDown(app, id);
  await runDeliveries(app, delivery);
  expect(telegram.texts()[0]).toStartWith("🔴 Shop is down");
});

it("the administrator of ADMIN_USERNAME has the language of the first sign-in", async () => {
  const app = await createTestApp({ env: { ADMIN_USERNAME: "root-of-all", ADMIN_PASSWORD: PASSWORD } });
  await createAdministrator(app.deps);
  const sent = { username: "root-of-all", password: PASSWORD };
  const signedIn = async (headers: Record<string, string>) => {
    const init = {
      method: "POST",
      body: JSON.stringify(sent),
      headers: { "content-type": "application/json", ...headers },
    };
    const { token } = await (await app.send(new Request("http://console.test/api/auth/login", init))).json();
    return (await createClient(app.send, token).get("/api/auth/me")).body.language;
  };
  expect([await signedIn({}), await signedIn({ "accept-language": "en-US" })]).toEqual(["zh-CN", "en-US"]);
});
