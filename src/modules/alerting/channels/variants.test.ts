import { describe, expect, it } from "bun:test";
import { createAlertApp } from "../../../testing/fixtures/alerts";
import { operationsOf, readDocument } from "../../../testing/openapi";
import { channelKinds, channelTypes } from "./registry";

const CREATE = "POST /api/notifications/channels";
const CHANGE = "PUT /api/notifications/channels/{id}";
const TRY = "POST /api/notifications/channels/test";

const open = async () => {
  const { app, alice } = await createAlertApp();
  const document = await readDocument(app);
  const operations = new Map(operationsOf(document).map(({ key, operation }) => [key, operation]));
  const bodyOf = (key: string) => operations.get(key)?.requestBody?.content["application/json"];
  return { client: app.as(alice), bodyOf, schemas: document.components.schemas };
};

describe("the API document of a channel", () => {
  it("has one schema for each type, chosen by its name, to create, change and test one", async () => {
    const { bodyOf, schemas } = await open();
    for (const key of [CREATE, CHANGE, TRY]) {
      const { propertyName, mapping = {} } = bodyOf(key)?.schema.discriminator ?? {};
      expect([key, propertyName, Object.keys(mapping)]).toEqual([key, "type", channelTypes()]);
    }
    expect(schemas.TelegramChannelInput?.required).toEqual(["name", "type", "config"]);
    expect(schemas.TelegramChannelInput?.properties?.type?.enum).toEqual(["telegram"]);
    expect(Object.keys(schemas.TelegramChannelTest?.properties ?? {})).toEqual(["id", "type", "config"]);
  });

  it("has a config with the fields of its type, their choices and their limits", async () => {
    const { schemas } = await open();
    for (const { kind, fields } of channelKinds.values()) {
      const config = schemas[`${kind[0]?.toUpperCase()}${kind.slice(1)}ChannelConfig`];
      expect(Object.keys(config?.properties ?? {})).toEqual(fields.map(({ name }) => name));
      expect(config?.required ?? []).toEqual(fields.flatMap(({ name, required }) => (required ? [name] : [])));
    }
    const { security, password } = schemas.SmtpChannelConfig?.properties ?? {};
    expect(security?.enum).toContain("starttls");
    expect(password).toMatchObject({ type: "string", maxLength: 500 });
  });

  it("has an example of each type that creates a channel of it, and changes it", async () => {
    const { client, bodyOf } = await open();
    const examples = Object.entries(bodyOf(CREATE)?.examples ?? {});
    expect(examples.map(([type]) => type)).toEqual(channelTypes());
    for (const [type, { value }] of examples) {
      const { status, body } = await client.post("/api/notifications/channels", value);
      expect([type, status, body.message]).toEqual([type, 201, "The channel is saved."]);
      const changed = await client.put(
        `/api/notifications/channels/${body.data.id}`,
        bodyOf(CHANGE)?.examples?.[type]?.value,
      );
      expect([type, changed.status]).toEqual([type, 200]);
      expect((await client.delete(`/api/notifications/channels/${body.data.id}`)).status).toBe(200);
    }
  });
});
