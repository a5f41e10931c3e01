import { describe, expect, it } from "bun:test";
import { startTestServer } from "../testing/servers/hub";

describe("the usual addresses of health checks", () => {
  const PATHS = ["/healthz", "/readyz", "/livez", "/ready", "/-/healthy"];

  it("answer as /health does, with BASE_PATH and without, under any host name", async () => {
    const server = await startTestServer({ BASE_PATH: "/up/", PUBLIC_URL: "https://hub.example" });
    const health = await server.call("/health");
    for (const path of PATHS)
      for (const address of [path, `${path}/`, `/up${path}`]) {
        const { status, body, headers } = await server.call(address, { headers: { host: "10-0-0-7.pods.example" } });
        expect([address, status, body]).toEqual([address, 200, health.body]);
        expect(headers.get("cache-control")).toBe("no-store");
      }
    for (const path of PATHS) {
      expect([path, (await server.call(path, { method: "HEAD" })).status]).toEqual([path, 200]);
      expect([path, (await server.call(path, { method: "POST" })).status]).toEqual([path, 405]);
    }
  });

  it("answer 503 while the database cannot be written", async () => {
    const server = await startTestServer();
    server.deps.db.assertWritable = () => Promise.reject(new Error("the disk is full"));
    for (const path of ["/health", ...PATHS]) {
      const { status, text } = await server.call(path);
      expect([path, status, JSON.parse(text).status]).toEqual([path, 503, "unavailable"]);
    }
  });
});

it("an unknown path answers 404 with the console's page where there is no screen", async () => {
  const { call } = await startTestServer({ BASE_PATH: "/up/" });
  for (const path of ["/apiary", "/no/such/page", "/monitors/7/x", "/status/alice/x", "/healthy", "/-/healthy/x"])
    for (const base of ["", "/up"]) {
      const { status, text, headers } = await call(base + path);
      expect([base + path, status, headers.get("cache-control")]).toEqual([base + path, 404, "no-cache"]);
      expect(text).toInclude("<!doctype html>");
      const again = await call(base + path, { headers: { "if-none-match": headers.get("etag") ?? "" } });
      expect([base + path, again.status]).toEqual([base + path, 404]);
    }
});
