import "../../../testing/fixtures/new-kinds/pager";

import { expect, it } from "bun:test";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  readDeliveries,
  recordDown,
  runDeliveries,
} from "../../../testing/fixtures/alerts";
import { readDocument } from "../../../testing/openapi";
import { serveTarget } from "../../../testing/servers/targets";
import { readSources } from "../../../testing/sources";
import { channelTypes } from "./registry";

/*
 * A kind of channel that is added to the registry, and nowhere else, works from the form to the export.
 */

const KEY = "pk_0123456789";
const PATH = "/api/notifications/channels";

const setUp = async () => {
  const made = await createAlertApp({ env: { PRIVATE_TARGETS: "all" } });
  const client = made.app.as(made.bob);
  await client.put("/api/auth/language", { language: "en-US" });
  const pager = serveTarget((_, { headers }) =>
    Response.json(headers["x-key"] === KEY ? { code: 0 } : { code: 403, reason: `unknown key ${headers["x-key"]}` }),
  );
  const channel = (accessKey = KEY) => ({
    name: "night",
    type: "pager",
    config: { server: pager.origin, accessKey, groups: "ops,night" },
  });
  return { ...made, client, pager, channel };
};

it("a new kind is validated by its fields, and shown with its secrets masked", async () => {
  const { app, bob, client, channel } = await setUp();
  const refused = await client.post(PATH, {
    ...channel(),
    config: { server: "ftp://x", accessKey: "", groups: "a b" },
  });
  expect([refused.status, JSON.parse(refused.text).errors]).toEqual([
    422,
    [
      { path: "server", code: "server_invalid", message: "The server is invalid" },
      { path: "accessKey", code: "access_key_required", message: "The access key is required" },
      { path: "groups", code: "groups_invalid", message: "The list of groups is invalid" },
    ],
  ]);
  const id = await addChannel(app, bob, channel());
  const { channels, kinds } = (await client.get("/api/notifications")).body.data;
  expect(channels).toMatchObject([{ id, type: "pager", config: { accessKey: "••••6789", groups: "ops,night" } }]);
  expect(kinds.map(({ kind }) => kind)).toEqual([...channelTypes().slice(0, -1), "pager"]);
});

it("a new kind delivers alerts, and its verdict decides whether they are retried", async () => {
  const { app, bob, client, delivery, pager, channel } = await setUp();
  const channels = [await addChannel(app, bob, channel()), await addChannel(app, bob, channel("pk_wrong_key"))];
  await recordDown(app, await addWatchedMonitor(app, bob, channels));
  await runDeliveries(app, delivery);
  const rows = await readDeliveries(app);
  expect(rows.map(({ channelType, state }) => [channelType, state])).toEqual([
    ["pager", "sent"],
    ["pager", "failed"],
  ]);
  const sent = JSON.parse(pager.requests[0]?.body ?? "");
  expect(sent).toEqual({ text: expect.stringMatching(/^🔴 shop is down\n/), groups: ["ops", "night"] });
  expect(sent.text.length).toBeLessThanOrEqual(60);
  const shown = (await client.get("/api/notifications")).body.data.channels;
  expect(shown.map(({ problem }) => problem)).toEqual([null, "200: unknown key ••••"]);
});

it("a new kind is exported without its secret, and imported", async () => {
  const { app, bob, charlie, client, channel } = await setUp();
  await addChannel(app, bob, channel());
  const file = JSON.parse((await client.get("/api/export")).text);
  const { server, groups } = channel().config;
  expect(file.channels).toMatchObject([{ type: "pager", config: { server, groups } }]);
  expect(JSON.stringify(file)).not.toContain("6789");
  expect((await app.as(charlie).post("/api/import", file)).status).toBe(200);
  const { channels } = (await app.as(charlie).get("/api/notifications")).body.data;
  expect(channels).toMatchObject([{ type: "pager", enabled: false, config: { server, groups } }]);
});

it("a new kind is in the API document", async () => {
  const { app } = await setUp();
  const { PagerChannelInput, PagerChannelConfig } = (await readDocument(app)).components.schemas;
  expect(PagerChannelInput?.properties?.type?.enum).toEqual(["pager"]);
  expect(PagerChannelConfig?.required).toEqual(["server", "accessKey"]);
  expect(PagerChannelConfig?.properties?.accessKey?.description).toContain("pk_ and then letters, digits and _");
});

it("a kind is named in its own file, the registry and the words of each language only", () => {
  const naming = readSources("src", "web")
    // Sources of imports name the channels of other products.
    .filter(({ path }) => !/\.test\.tsx?$|^src\/(testing|modules\/transfer\/sources)\//.test(path))
    .filter(({ text }) => /\bgotify\b/i.test(text))
    .map(({ path }) => path);
  expect(naming.toSorted()).toEqual([
    "src/modules/alerting/channels/kinds/push/gotify.ts",
    "src/modules/alerting/channels/registry.ts",
    "web/locales/en-US/channels.ts",
    "web/locales/zh-CN/channels.ts",
  ]);
});
