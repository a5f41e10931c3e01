import { expect, it } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../core/config";
import { temporaryFolder } from "../testing/agent-program";
import { startTestServer } from "../testing/servers/hub";
import { readDocument } from "./html-pages";

const TEMPLATE =
  '<!doctype html><base href="/" /><script type="application/json" id="settings">{"version":"development"}</script>';

const settingsFor = (env: Record<string, string>) => {
  const directory = temporaryFolder();
  writeFileSync(join(directory, "index.html"), TEMPLATE);
  const html = readDocument(directory, "index.html", readConfig(env));
  return JSON.parse(/<script[^>]*>([\s\S]*)<\/script>/.exec(html)?.[1] ?? "");
};

it("the document carries API_TIMEOUT in milliseconds for the page, 10 seconds when it is not set", () => {
  expect(settingsFor({}).apiTimeout).toBe(10_000);
  expect(settingsFor({ API_TIMEOUT: "25000" }).apiTimeout).toBe(25_000);
});

it("the API page is served below /api and BASE_PATH, with the page's security policy and an ETag", async () => {
  const server = await startTestServer({ BASE_PATH: "/up" });
  for (const path of ["/api/docs", "/up/api/docs", "/up/api/docs/"]) {
    const { status, headers, text } = await server.call(path);
    expect([path, status, headers.get("content-type")]).toEqual([path, 200, "text/html; charset=utf-8"]);
    expect(text).toInclude('<base href="/up/">');
    expect(headers.get("content-security-policy")).not.toInclude("unsafe");
    expect((await server.call(path, { headers: { "if-none-match": headers.get("etag") ?? "" } })).status).toBe(304);
  }
  const { status, body } = await server.call("/up/api/docs", { method: "POST" });
  expect([status, body.code]).toEqual([404, "not_found"]);
});
