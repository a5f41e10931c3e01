import { describe, expect, it } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { readConfig } from "../../core/config";
import { temporaryFolder } from "../../testing/agent-program";
import { START } from "../../testing/clock";
import { startTestServer } from "../../testing/servers/hub";
import { acceptedCoding } from "../http-encoding";
import { createScreenDocuments, readDocument } from "./documents";

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

it("documents name the language that the client asks for, or Chinese, also one of an unknown path", async () => {
  const { call } = await startTestServer();
  for (const path of ["/", "/monitors", "/api/docs", "/nothing/here", "/status"]) {
    for (const [accepted, language] of [
      ["en-GB,en;q=0.9", "en-US"],
      ["zh-TW,en;q=0.8", "zh-CN"],
      ["fr", "zh-CN"],
    ] as const) {
      const { text, headers } = await call(path, { headers: { "accept-language": accepted } });
      expect([path, accepted, /<html lang="([^"]*)"/.exec(text)?.[1]]).toEqual([path, accepted, language]);
      expect(headers.get("vary")).toBe("accept-encoding, accept-language");
    }
  }
});

it("the footer of status pages has the links of the console, but none that is set to nothing", async () => {
  const { call } = await startTestServer({ LINK_VIDEO: "https://video.example/", LINK_TEMP_MAIL: "" });
  const { text } = await call("/status", { headers: { "accept-language": "en" } });
  const footer = /<footer[\s\S]*<\/footer>/.exec(text)?.[0] ?? "";
  expect([...footer.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    readConfig({}).links.blog,
    "https://video.example",
  ]);
  expect(footer.replaceAll("<!-- -->", "")).toInclude(`© ${new Date(START).getUTCFullYear()} Wakeful`);
});

const FILE = "/main-0a1b2c3d.js";
const TEXT = "console.log('page')";

describe("a file of the page", () => {
  it("is sent in the content coding that the client accepts, and uncompressed to a client that accepts none", async () => {
    const { port } = await startTestServer();
    for (const [accepted, coding] of [
      ["br, gzip", "br"],
      ["gzip, deflate, br, zstd", "br"],
      ["gzip", "gzip"],
      ["br;q=0, gzip", "gzip"],
      ["br;q=0.5, gzip;q=0.8", "gzip"],
      ["*", "gzip"],
      ["br;q=0.5, *", "gzip"],
      ["br, *;q=0.5", "br"],
      ["gzip;q=0, *", null],
      ["identity", null],
      ["br;q=0, gzip;q=0", null],
      ["*;q=0", null],
      ["gzip;q=0.5, identity", null],
    ] as const) {
      const response = await fetch(`http://127.0.0.1:${port}${FILE}`, {
        headers: { "accept-encoding": accepted },
        decompress: false,
      } as RequestInit);
      const { headers } = response;
      const body = await response.bytes();
      const text = coding === "br" ? brotliDecompressSync(body) : coding === "gzip" ? gunzipSync(body) : body;
      expect([accepted, headers.get("content-encoding"), Buffer.from(text).toString()]).toEqual([
        accepted,
        coding,
        TEXT,
      ]);
      expect(headers.get("content-type")).toStartWith("text/javascript");
      expect(headers.get("vary")).toBe("accept-encoding");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("answers HEAD without a body, whatever the client accepts", async () => {
    const { call } = await startTestServer();
    for (const accepted of ["br", "gzip", "identity"]) {
      const { status, text } = await call(FILE, { method: "HEAD", headers: { "accept-encoding": accepted } });
      expect([accepted, status, text]).toEqual([accepted, 200, ""]);
    }
  });

  it("is not served under the name of its folder, and neither is a document's template", async () => {
    const { call } = await startTestServer();
    for (const path of [`/br${FILE}`, `/gzip${FILE}`, "/index.html", "/docs.html", "/status.html", "/br/../index.html"])
      expect([path, (await call(path)).status]).toEqual([path, 404]);
  });
});

it("without Accept-Encoding, or with one that cannot be parsed, a body is not compressed", () => {
  const codingFor = (headers: Record<string, string>) =>
    acceptedCoding(new Request("http://hub.example/", { headers }), ["zstd", "gzip"]);
  expect(codingFor({})).toBeNull();
  expect(codingFor({ "accept-encoding": "" })).toBeNull();
  expect(codingFor({ "accept-encoding": "gzip;q=high, ;;, zstdx" })).toBeNull();
  expect(codingFor({ "accept-encoding": " GZIP ; Q=0.1 " })).toBe("gzip");
  expect(codingFor({ "accept-encoding": "*" })).toBe("gzip");
});

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

it("icons are found under the names that browsers and phones ask for, and may be shown on other sites", async () => {
  const { call } = await startTestServer({ BASE_PATH: "/up/" });
  for (const [path, text] of [
    ["/favicon.ico", "icon of 192 pixels"],
    ["/apple-touch-icon.png", "icon of 180 pixels"],
    ["/apple-touch-icon-precomposed.png", "icon of 180 pixels"],
  ] as const)
    for (const base of ["", "/up"]) {
      const answer = await call(base + path);
      expect([path, answer.status, answer.text, answer.headers.get("content-type")]).toEqual([
        path,
        200,
        text,
        "image/png",
      ]);
      expect(answer.headers.get("cache-control")).toBe("public, max-age=3600");
      expect(answer.headers.get("cross-origin-resource-policy")).not.toBe("same-origin");
    }
});

it("the document of a screen loads the code, the styles and the texts of that screen in the reader's language, as the build lists them", () => {
  const directory = temporaryFolder();
  writeFileSync(join(directory, "index.html"), '<html lang="zh-CN"><head><base href="/" /></head></html>');
  const texts = { "zh-CN": ["zh-1.js"], "en-US": ["en-1.js"] };
  writeFileSync(
    join(directory, "preloads.json"),
    JSON.stringify({ screens: { dashboard: ["screens-1.css", "board-1.js"] }, texts }),
  );
  const documentOf = createScreenDocuments(directory, readConfig({}));
  const linksOf = async (screen: "dashboard" | "home", language: string) => {
    const request = new Request("http://localhost/", { headers: { "accept-language": language } });
    const text = await (await documentOf(screen)(request)).text();
    return [...text.matchAll(/<link rel="(?:modulepreload" crossorigin|preload" as="style") href="([^"]+)">/g)].map(
      ([, name]) => name,
    );
  };
  return Promise.all([
    expect(linksOf("dashboard", "en")).resolves.toEqual(["./screens-1.css", "./board-1.js", "./en-1.js"]),
    expect(linksOf("dashboard", "zh")).resolves.toEqual(["./screens-1.css", "./board-1.js", "./zh-1.js"]),
    expect(linksOf("home", "en")).resolves.toEqual([]),
  ]);
});

it("the document of a screen sends the first requests of that screen before its stylesheet is loaded", async () => {
  const directory = temporaryFolder();
  const head = '<script src="./theme.js"></script><link rel="stylesheet" href="./main.css" />';
  writeFileSync(join(directory, "index.html"), `<html lang="zh-CN"><head><base href="/" />${head}</head></html>`);
  const texts = { "zh-CN": [], "en-US": [] };
  writeFileSync(join(directory, "preloads.json"), JSON.stringify({ screens: { monitor: ["monitor-1.js"] }, texts }));
  const documentOf = createScreenDocuments(directory, readConfig({}));
  const scriptOf = async (screen: "monitor" | "login") => {
    const text = await (await documentOf(screen)(new Request("http://localhost/"))).text();
    return /<script src="\.\/theme\.js"><\/script>(.*?)<link rel="stylesheet"/.exec(text)?.[1];
  };
  expect(await scriptOf("monitor")).toBe(
    '<script src="./first-requests.js" data-page="api/dashboard api/monitors/:id api/monitors/:id/series?range=24h" data-beside="api/monitors?history=40&amp;offset=0&amp;limit=100&amp;sort=status&amp;order=asc&amp;fields=compact"></script>',
  );
  expect(await scriptOf("login")).toBe("");
});
