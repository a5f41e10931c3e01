import { expect, it } from "bun:test";
import { startTestServer } from "../testing/servers/hub";

it("serves the page about the API beside the API, under the page's policy and the base path", async () => {
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
