import { describe, expect, it } from "bun:test";
import { createTestApp } from "../../../testing/app";
import { operationsOf, readDocument } from "../../../testing/openapi";
import { KINDS } from "../kinds/registry";

const open = async () => {
  const app = await createTestApp({ env: { PRIVATE_TARGETS: "none" } });
  const { alice } = await app.people();
  const operations = new Map(operationsOf(await readDocument(app)).map(({ key, operation }) => [key, operation]));
  const bodyOf = (key: string) => operations.get(key)?.requestBody?.content["application/json"];
  return { client: app.as(alice), bodyOf, document: await readDocument(app) };
};

describe("the API document of a monitor", () => {
  it("has one schema for each kind, chosen by its name, with an interval for those that are checked", async () => {
    const { bodyOf, document } = await open();
    for (const key of ["POST /api/monitors", "PUT /api/monitors/{id}"]) {
      const { propertyName, mapping = {} } = bodyOf(key)?.schema.discriminator ?? {};
      expect([propertyName, Object.keys(mapping)]).toEqual(["kind", KINDS.map(({ kind }) => kind)]);
    }
    const { HttpMonitorInput, TcpMonitorInput, HeartbeatMonitorInput } = document.components.schemas;
    expect(HttpMonitorInput?.required).toEqual(["name", "url", "interval"]);
    expect(TcpMonitorInput?.required).toEqual(["name", "kind", "config", "interval"]);
    expect(HeartbeatMonitorInput?.required).toEqual(["name", "kind", "config"]);
    expect(Object.keys(HeartbeatMonitorInput?.properties ?? {})).not.toContain("interval");
  });

  it("has an example of each kind that creates a monitor of it", async () => {
    const { client, bodyOf } = await open();
    for (const [kind, { value }] of Object.entries(bodyOf("POST /api/monitors")?.examples ?? {})) {
      const { status, body } = await client.post("/api/monitors", { ...value, active: false });
      if (body.code === "ping_unavailable") continue;
      expect([kind, status, body.message, body.monitor?.kind]).toEqual([kind, 201, body.message, kind]);
    }
  });
});

describe("a monitor whose config belongs to another kind", () => {
  const website = { name: "Shop", url: "https://shop.example.com", interval: 60 };

  it("is refused for a website, whose fields stand beside the name", async () => {
    const { client } = await open();
    for (const kind of [{}, { kind: "http" }]) {
      const sent = { ...website, ...kind, config: { host: "db.example.com", port: 5432 } };
      const { status, body } = await client.post("/api/monitors", sent);
      expect([status, body.code, body.errors.map(({ path }: { path: string }) => path)]).toEqual([
        422,
        "validation",
        ["config"],
      ]);
    }
    expect((await client.post("/api/monitors", { ...website, config: {} })).status).toBe(201);
  });

  it("is refused with the name of each field that its kind does not have", async () => {
    const { client } = await open();
    const sent = { name: "Router", kind: "ping", interval: 60, config: { host: "192.0.2.1", port: 5432 } };
    const { status, body } = await client.post("/api/monitors", sent);
    expect([status, body.errors]).toEqual([
      422,
      [{ path: "config.port", message: "config.port: the kind ping has no such field" }],
    ]);
  });

  it("is not what is read back: every answered field of a kind may be sent", () => {
    const foreign = KINDS.filter(({ flat }) => !flat).flatMap(({ kind, config, sent }) =>
      Object.keys(config.properties).flatMap((name) => (name in sent.properties ? [] : [`${kind}.${name}`])),
    );
    expect(foreign).toEqual([]);
  });
});
