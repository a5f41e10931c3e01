import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { type HubProcess, installConsole, startConsole } from "./lib/hub";

const installation = installConsole();
let running: HubProcess;
let html: string;

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(running.origin + path, { method, headers, decompress: false } as RequestInit);

const assets = () => [...html.matchAll(/(?:src|href)="\.?\/?([^"]+-[\da-z]{8}\.(?:js|css))"/g)].map(([, name]) => name);

beforeAll(async () => {
  running = await startConsole(installation);
  html = await (await fetch(`${running.origin}/`)).text();
});

afterAll(async () => {
  await running.stop();
  installation.remove();
});

describe("the document", () => {
  it("is served at every path of the page with the right base path", async () => {
    const paths = { "/": 200, "/login": 200, "/monitors/12": 200, "/nowhere/at/all": 404 };
    for (const [path, status] of Object.entries(paths)) {
      const response = await fetch(running.origin + path);
      expect(response.status).toBe(status);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(await response.text()).toContain('<base href="/">');
    }
  });

  it("contains the installation's settings", () => {
    const [, text = ""] = /<script[^>]*id="settings"[^>]*>([\s\S]*?)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(text)).toMatchObject({ registration: "open", links: { repository: expect.any(String) } });
  });

  it("has a policy that allows own scripts only and no framing", async () => {
    const { headers } = await fetch(`${running.origin}/`);
    const policy = headers.get("content-security-policy") ?? "";
    for (const rule of ["default-src 'self'", "object-src 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule);
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("same-origin");
  });

  it("is revalidated each time and answered with 304 when unchanged", async () => {
    const first = await get("/");
    expect(first.headers.get("cache-control")).toBe("no-cache");
    const etag = first.headers.get("etag") ?? "";
    const second = await get("/", { "if-none-match": etag });
    expect(second.status).toBe(304);
    expect(await second.text()).toBe("");
    expect((await get("/", { "if-none-match": '"another"' })).status).toBe(200);
  });

  it("answers HEAD without a body", async () => {
    const response = await get("/", {}, "HEAD");
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
  });
});

describe("scripts and styles", () => {
  it("are immutable under names with a content hash", async () => {
    expect(assets().length).toBeGreaterThanOrEqual(2);
    for (const name of assets()) {
      const { status, headers } = await get(`/${name}`);
      expect(status).toBe(200);
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    }
  });

  it("are compressed by the accepted coding, with the same content", async () => {
    const [name] = assets();
    const bodies = await Promise.all(
      ["br, gzip", "gzip", "identity"].map(async (accepted) => {
        const response = await fetch(`${running.origin}/${name}`, { headers: { "accept-encoding": accepted } });
        return { encoding: response.headers.get("content-encoding"), text: await response.text() };
      }),
    );
    expect(bodies.map(({ encoding }) => encoding)).toEqual(["br", "gzip", null]);
    expect(new Set(bodies.map(({ text }) => text)).size).toBe(1);
  });

  it("answer 404 when missing, never the document", async () => {
    expect((await get("/gone-abcdefgh.js")).status).toBe(404);
  });
});

it("answers unknown addresses of the API in JSON", async () => {
  for (const path of ["/api/nope", "/api", "/api/monitors/1/nope"]) {
    const response = await fetch(running.origin + path);
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ success: false, code: "not_found" });
  }
});

it("reports that it is healthy", async () => {
  const response = await fetch(`${running.origin}/health`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: "ok", instance: expect.any(String), backup_age: null });
});
