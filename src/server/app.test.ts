import { describe, expect, it } from "bun:test";
import { sql } from "drizzle-orm";
import { createTestApp } from "../testing/app";
import { call } from "../testing/client";
import { createLiveness } from "./app";

/** Internals that no answer may contain: traces, files, statements and column names. */
const INNARDS = /\bat .*:\d+|\.ts\b|node_modules|\bselect\b|\binsert into\b|sqlite|postgres|drizzle|password_?hash/i;

describe("a body that cannot be parsed", () => {
  it("is refused as malformed_json", async () => {
    const { send } = await createTestApp();
    for (const body of ["{", "{'a':1}", '{"username":"alice",}', "undefined", "\u0000", '{"a":1}x', ""]) {
      const headers = { "content-type": "application/json" };
      const answer = await call(send, "/api/auth/login", { method: "POST", body, headers });
      expect([body, answer.status, answer.body.code]).toEqual([body, 400, "malformed_json"]);
      expect(answer.text).not.toMatch(INNARDS);
    }
  });

  it("is a validation error if it is JSON of another type", async () => {
    const { send } = await createTestApp();
    for (const body of ["[]", "null", '"text"', "7", "true", "[[]]"]) {
      const headers = { "content-type": "application/json" };
      const answer = await call(send, "/api/auth/login", { method: "POST", body, headers });
      expect([body, answer.status, answer.body.code]).toEqual([body, 422, "validation"]);
      expect(answer.body.errors.length).toBeGreaterThan(0);
    }
  });

  it("is refused with a JSON error also with another content type or none", async () => {
    const { send } = await createTestApp();
    for (const type of ["text/plain", "application/octet-stream", "application/xml", "nonsense"]) {
      const init = { method: "POST", body: '{"username":"alice"}', headers: { "content-type": type } };
      const answer = await call(send, "/api/auth/login", init);
      expect([type, answer.status, answer.body.success]).toEqual([type, 422, false]);
    }
    expect((await call(send, "/api/auth/login", { method: "POST" })).body.success).toBe(false);
  });
});

it("the error of a field that was left out is that it is missing", async () => {
  const { as, people } = await createTestApp();
  const { bob } = await people();
  for (const [path, sent, missing] of [
    ["/api/notifications/channels", {}, ["type"]],
    ["/api/monitors", { url: "https://example.com/" }, ["name", "interval"]],
    ["/api/monitors", { kind: "tcp", name: "Shop", config: { host: "example.com" } }, ["config.port", "interval"]],
  ] as const) {
    const { status, body } = await as(bob).post(path, sent);
    const errors = missing.map((field) => ({ path: field, message: `${field}: is missing` }));
    expect([path, status, body.errors]).toEqual([path, 422, expect.arrayContaining(errors)]);
  }
});

describe("a path without a route", () => {
  it("answers 404 as JSON for any method", async () => {
    const { send, as, people } = await createTestApp();
    const { alice } = await people();
    for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      for (const path of ["/api/nope", "/api", "/api/auth", "/api/monitors/1/nope", "/api/%2e%2e/secret"]) {
        const answer = await call(send, path, { method });
        expect([path, answer.status, answer.body.success, answer.body.code]).toEqual([path, 404, false, "not_found"]);
      }
    }
    expect((await as(alice).post("/api/monitors/1/nope", {})).body.code).toBe("not_found");
  });
});

describe("an id in a path", () => {
  it("that is not a positive whole number is refused as invalid_id", async () => {
    const { as, people } = await createTestApp();
    const { alice } = await people();
    const bad = ["x", "0", "-1", "1.5", "1e1000", "9007199254740993", "NaN", "1x", "%20", "%00", "null", "%E0%A4%A"];
    for (const id of bad) {
      const { status, body, text } = await as(alice).get(`/api/monitors/${id}`);
      expect([id, status, body.code]).toEqual([id, 422, "invalid_id"]);
      expect(text).not.toMatch(INNARDS);
    }
    expect((await as(alice).get("/api/monitors/1")).body.code).toBe("not_found");
    expect((await as(alice).get("/api/monitors/9007199254740991")).body.code).toBe("not_found");
    for (const path of ["pause", "resume", "check"]) {
      expect((await as(alice).post(`/api/monitors/x/${path}`)).body.code).toBe("invalid_id");
    }
    expect((await as(alice).delete("/api/monitors/x")).body.code).toBe("invalid_id");
  });
});

it("a token in a path that is no text, or too long, is answered as an address that does not exist", async () => {
  const { anybody } = await createTestApp();
  for (const token of ["%", "%E0%A4%A", "x".repeat(101)])
    expect(await anybody.get(`/api/reports/shared/${token}`)).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
});

describe("an unexpected error", () => {
  it("is answered with 500 without its cause, and logged without the request", async () => {
    const { anybody, db, logged } = await createTestApp();
    await db.rows(sql`alter table users rename to users_elsewhere`);
    const password = "never to be seen";
    const { status, body, text } = await anybody.post("/api/auth/register", { username: "alice", password });
    expect([status, body.success, body.code]).toEqual([500, false, "internal"]);
    expect(text).not.toMatch(INNARDS);
    expect(logged.join("")).toInclude('"path":"/api/auth/register"');
    expect(logged.join("")).not.toMatch(/never to be seen|argon2/);
  });

  it("is not caused by any text that a client sends", async () => {
    const { as, anybody, people } = await createTestApp();
    const { alice } = await people();
    const odd = ["a\u0000b", "\ud800", "'; drop table users; --", "%", "\\", "💥".repeat(20)];
    for (const text of odd) {
      const answers = [
        await anybody.post("/api/auth/login", { username: text, password: text }),
        await as(alice).get(`/api/monitors?search=${encodeURIComponent(text.toWellFormed())}`),
        await as(alice).post("/api/monitors", { name: text, url: "http://127.0.0.1:1/", interval: 60, body: text }),
        await as(alice).post("/api/monitors", { name: "x", url: `http://127.0.0.1:1/${text}`, interval: 60 }),
      ];
      for (const { status } of answers) expect([text, status < 500]).toEqual([text, true]);
    }
    for (const username of ["a\u0000", "\ud800", "a\udc00b"]) {
      const { body } = await anybody.post("/api/auth/register", { username, password: "long enough" });
      expect([body.code, body.errors]).toEqual([
        "validation",
        [{ path: "username", message: "username: expected a text without NUL and of whole characters" }],
      ]);
    }
  });
});

describe("an error of the database", () => {
  const failing = async (error: Error) => {
    const app = await createTestApp();
    const { bob } = await app.people();
    const { transact } = app.db;
    app.db.transact = () => {
      app.db.transact = transact;
      return Promise.reject(error);
    };
    const body = { name: "shop", url: "http://192.0.2.1/", interval: 60 };
    return app.as(bob).post("/api/monitors", body);
  };

  it("answers 409 to a broken reference while the caller's account exists", async () => {
    const { status, body } = await failing(new Error("FOREIGN KEY constraint failed"));
    expect([status, body.code]).toEqual([409, "conflict"]);
  });

  it("answers 500 when it is unexpected and occurs before the body is read", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    app.db.rows = () => Promise.reject(new Error("no such column: nothing"));
    app.db.select = () => {
      throw new Error("no such column: nothing");
    };
    const body = { name: "shop", url: "http://192.0.2.1/", interval: 60 };
    const answer = await app.as(bob).post("/api/monitors", body);
    expect([answer.status, answer.body.code]).toEqual([500, "internal"]);
  });
});

describe("an object in place of a text", () => {
  it("is a validation error in any field", async () => {
    const { anybody, as, people } = await createTestApp();
    const { alice } = await people();
    for (const odd of [{ toString: 1 }, { valueOf: 1, toString: "x" }, [{ toString: null }], { a: { toString: {} } }]) {
      const answers = [
        await anybody.post("/api/auth/login", odd),
        await anybody.post("/api/auth/login", { username: odd, password: "x" }),
        await as(alice).post("/api/status/config", { title: odd }),
        await as(alice).post("/api/monitors", { name: "x", url: "http://127.0.0.1:1/", interval: odd }),
      ];
      for (const { status, body } of answers) expect([odd, status, body.code]).toEqual([odd, 422, "validation"]);
    }
  });
});

describe("a large body that no route accepts", () => {
  const size = 2 ** 20;
  const bodies: Record<string, [type: string, body: string]> = {
    "one long text": ["application/json", JSON.stringify("a".repeat(size))],
    "a list": ["application/json", `[${"0,".repeat(size / 2)}0]`],
    "a list in a field": ["application/json", `{"username":[${"0,".repeat(size / 2)}0],"password":"x"}`],
    "many fields": ["application/json", `{${Array.from({ length: 80_000 }, (_, index) => `"k${index}":1`)}}`],
    "another type": ["text/plain", "a".repeat(size)],
    "a form": ["application/x-www-form-urlencoded", "a&".repeat(size / 2)],
  };
  for (const [name, [type, body]] of Object.entries(bodies)) {
    it(`is refused before it is validated: ${name}`, async () => {
      const { send } = await createTestApp();
      // Validating each part of it would take minutes.
      for (let time = 0; time < 20; time++) {
        const init = { method: "POST", body, headers: { "content-type": type } };
        const answer = await call(send, "/api/auth/login", init);
        expect([answer.status, answer.body.code, answer.body.errors.length]).toEqual([422, "validation", 1]);
      }
    });
  }

  it("is ignored on routes without a body", async () => {
    const { send, as, people } = await createTestApp();
    const { alice } = await people();
    const monitor = { name: "shop", url: "http://127.0.0.1:1/", interval: 60, active: false };
    const { id } = (await as(alice).post("/api/monitors", monitor)).body.monitor;
    const headers = { authorization: `Bearer ${alice.token}`, "content-type": "application/x-www-form-urlencoded" };
    expect((await call(send, `/api/monitors/${id}/pause`, { method: "POST", headers })).status).toBe(200);
  });
});

describe("deeply nested JSON", () => {
  it("is a validation error at any depth", async () => {
    const { send, as, people } = await createTestApp();
    const { alice } = await people();
    const { token } = alice;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    for (const depth of [33, 1000, 100_000]) {
      const deep = "[".repeat(depth) + "]".repeat(depth);
      for (const body of [deep, `{"name":"x","url":"http://127.0.0.1:1/","interval":60,"headers":${deep}}`]) {
        const { status, body: answer } = await call(send, "/api/monitors", { method: "POST", body, headers });
        expect([depth, status, answer.code]).toEqual([depth, 422, "validation"]);
      }
    }
    expect((await as(alice).get("/api/monitors")).body.total).toBe(0);
  });
});

describe("health", () => {
  it("is ok while the database can be written, and unavailable otherwise", async () => {
    const { anybody, db, deps } = await createTestApp();
    const healthy = await anybody.get("/health");
    expect([healthy.status, healthy.body]).toEqual([
      200,
      expect.objectContaining({ status: "ok", instance: deps.instance }),
    ]);
    const { assertWritable } = db;
    db.assertWritable = () => Promise.reject(new Error("the disk is full"));
    const unhealthy = await anybody.get("/health");
    expect([unhealthy.status, unhealthy.body]).toEqual([
      503,
      expect.objectContaining({ status: "unavailable", instance: deps.instance }),
    ]);
    expect(unhealthy.text).not.toInclude("disk");
    db.assertWritable = assertWritable;
  });
});

it("the process is alive while the thread pool works", async () => {
  expect(await createLiveness()()).toBe(true);
});

it("the process is not alive while the thread pool is blocked, which takes one task for any number of callers", async () => {
  let tasks = 0;
  let time = 0;
  let pool = Promise.withResolvers<void>();
  const isAlive = createLiveness(
    () => {
      tasks++;
      return pool.promise;
    },
    () => time,
  );
  const first = isAlive();
  time = 1000;
  expect(await Promise.all([isAlive(), isAlive(), isAlive()])).toEqual([false, false, false]);
  expect(tasks).toBe(1);
  pool.resolve();
  expect(await first).toBe(true);
  pool = Promise.withResolvers();
  pool.resolve();
  expect([await isAlive(), tasks]).toEqual([true, 2]);
});

it("the process is not alive when the event loop was blocked for more than a second", async () => {
  let time = 0;
  const isAlive = createLiveness(
    async () => {
      time += 1001;
    },
    () => time,
  );
  expect(await isAlive()).toBe(false);
});
