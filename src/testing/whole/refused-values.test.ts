import { expect, it } from "bun:test";
import { createTestApp } from "../app";
import { call } from "../client";
import { createFuzzWorld } from "../fuzz/world";
import { operationsOf, readDocument } from "../openapi";
import { serveStatus } from "../servers/targets";

/** Values of several types. At least one of them is wrong for each field. JavaScript converts a blank to a number. */
const VALUES = [null, -1, " ", "y".repeat(3000), {}];

/** A body with each of its values replaced by each of `VALUES`, one at a time, and each of its fields left out. */
function* changed(value: unknown): Generator<unknown> {
  yield* VALUES;
  if (Array.isArray(value)) for (const other of changed(value[0])) yield [other];
  else if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      for (const other of changed(inner)) yield { ...value, [name]: other };
      yield { ...value, [name]: undefined };
    }
}

/** Wording of the validator: its own types and paths, and values that it prints. */
const DEVELOPER = /Expected|Property|should|object Object|undefined|Union|schema|9007199254740991|[{}]/;

const start = async () => {
  const target = serveStatus();
  const origins = { TELEGRAM_API_URL: target.origin, RESEND_API_URL: target.origin };
  const app = await createTestApp({ env: { PRIVATE_TARGETS: "all", ...origins } });
  const document = await readDocument(app);
  const world = await createFuzzWorld(app, target.url);
  /** Sends a body to an operation as a user who may make the call. */
  const send = async ({ key, operation }: ReturnType<typeof operationsOf>[number], body?: string) => {
    const [method = "", path = ""] = key.split(" ");
    const access = operation["x-access"];
    const actor = access === "agent" ? "agent" : access.startsWith("admin") ? "alice" : "bob";
    const authorization = `Bearer ${world.secretOf(actor)}`;
    // Calls are limited by the second.
    app.clock.set(app.clock.now() + 5000);
    return call(app.send, path.replace("{id}", world.idOf(actor, path, "own")), {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body !== undefined && { body }),
    });
  };
  const writes = operationsOf(document).filter(({ operation }) => operation.requestBody);
  return { app, writes, send };
};

it("a call that needs a body is refused without one", async () => {
  const { writes, send } = await start();
  const needing = writes.filter(({ operation }) => operation.requestBody?.required);
  for (const key of ["PUT /api/users/{id}", "POST /api/status/config", "POST /api/status/preview"])
    expect(needing.map((found) => found.key)).toContain(key);
  for (const found of needing)
    for (const body of [undefined, "null"]) {
      const answer = await send(found, body);
      const message = "Some fields are not valid: body: expected a JSON object, but nothing was sent.";
      expect([found.key, answer.status, answer.body.message]).toEqual([found.key, 422, message]);
    }
});

/** Errors of services elsewhere, which a test does not reach. */
const OUTSIDE = ["provider_refused", "registry_unavailable"];

it("every value that a call refuses is named, with what is expected there in plain words", async () => {
  const { app, writes, send } = await start();
  const sent = new Set<string>();
  const messages = new Set<string>();
  const bad: string[] = [];
  for (const found of writes) {
    const { schema, example, examples = {} } = found.operation.requestBody?.content["application/json"] ?? {};
    const shape = JSON.stringify(schema);
    // Several calls send the same body. A password is hashed slowly on purpose.
    if (sent.has(shape) || /register|change-password/.test(found.key)) continue;
    sent.add(shape);
    const bodies = [example ?? [], ...Object.values(examples).map(({ value }) => value)].flat();
    for (const body of bodies.flatMap((one) => [...changed(one)]).map((one) => JSON.stringify(one))) {
      if (sent.has(`${found.key} ${body}`)) continue;
      sent.add(`${found.key} ${body}`);
      const answer = await send(found, body);
      const shown = `${found.key} ${body.slice(0, 200)}: ${answer.text}`;
      if (answer.status >= 500 && !OUTSIDE.includes(answer.body.code)) bad.push(shown);
      for (const { path, message } of answer.body.errors ?? []) {
        messages.add(message);
        const reason = message.slice(message.indexOf(": ") + 2);
        if (DEVELOPER.test(reason) || (path === "" && !reason.startsWith("expected a JSON object"))) bad.push(shown);
      }
    }
  }
  await app.engine.stop();
  expect(bad).toEqual([]);
  for (const message of [
    "monitors: expected a list of at most 1000 ids",
    "monitors.0: expected a whole number of at least 1",
    "quiet: expected an object or null",
    "config.every: expected a whole number from 60 to 31622400 seconds",
  ])
    expect(messages).toContain(message);
});
