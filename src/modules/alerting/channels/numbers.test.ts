import { expect, it } from "bun:test";
import { createTestApp } from "../../../testing/app";

const PATH = "/api/notifications/channels";
const MAIL = {
  name: "mail",
  type: "smtp",
  config: {
    host: "smtp.example.com",
    security: "starttls",
    user: "bob",
    password: "s3cret",
    from: "a@example.com",
    to: "b@example.com",
  },
};

const FILE = { format: "wakeful-configuration", version: 1 };

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const client = app.as(bob);
  const portOf = async () => (await client.get("/api/notifications")).body.data.channels.at(-1)?.config.port;
  return { client, portOf, create: (config: unknown) => client.post(PATH, { ...MAIL, config }) };
};

it("an SMTP port is a number or a text: in an object, in JSON text, in a change and in a file", async () => {
  const { client, portOf, create } = await setUp();
  for (const config of [
    { ...MAIL.config, port: 2525 },
    { ...MAIL.config, port: "2525" },
    JSON.stringify({ ...MAIL.config, port: 2525 }),
    JSON.stringify({ ...MAIL.config, port: "2525" }),
  ]) {
    expect((await create(config)).status).toBe(201);
    expect(await portOf()).toBe("2525");
  }
  const id = (await client.get("/api/notifications")).body.data.channels.at(-1)?.id;
  expect((await client.put(`${PATH}/${id}`, { ...MAIL, config: { ...MAIL.config, port: 465 } })).status).toBe(200);
  expect(await portOf()).toBe("465");
  const file = { ...FILE, channels: [{ ...MAIL, name: "imported", config: { ...MAIL.config, port: 25 } }] };
  expect((await client.post("/api/import", file)).status).toBe(200);
  expect(await portOf()).toBe("25");
});

it("a number that is no port is refused like its text, and other values are refused", async () => {
  const { client, create } = await setUp();
  const invalid = { status: 422, body: { errors: [{ path: "port", code: "port_invalid" }] } };
  for (const port of [0, 65_536, -25, "0", "25 "]) {
    const answer = await create({ ...MAIL.config, port });
    if (port === "25 ") expect(answer.status).toBe(201);
    else expect(answer).toMatchObject(invalid);
  }
  for (const port of [25.5, true, null, [25], { port: 25 }, 1e300]) {
    expect((await create({ ...MAIL.config, port })).status).toBe(422);
    expect((await create(JSON.stringify({ ...MAIL.config, port }))).status).toBe(422);
    const file = { ...FILE, channels: [{ ...MAIL, config: { ...MAIL.config, port } }] };
    expect((await client.post("/api/import", file)).body.errors[0]?.path).toStartWith("channels.0.config");
  }
});
