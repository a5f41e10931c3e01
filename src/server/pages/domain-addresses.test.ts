/** Answers at the domain of a page link this domain, and do not name the hub. */
import { describe, expect, it } from "bun:test";
import { request } from "node:http";
import { STATUSPAGE_DOCUMENTS } from "../../modules/status-page/statuspage/statuspage";
import { expectNoLeak, fillPage } from "../../testing/fixtures/status/private-pages";
import { startTestServer } from "../../testing/servers/hub";
import { RESOURCES } from "./status-routes";

const [DOMAIN, HUB] = ["status.acme.example", "watch.example.com"];
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const setUp = async (access: object = {}) => {
  const hub = await startTestServer({ PUBLIC_URL: `https://${HUB}/up`, BASE_PATH: "/up/" });
  const { alice } = await hub.people();
  const filled = await fillPage(hub, alice, { domains: [DOMAIN], ...access });
  /** `fetch` would replace Host. */
  const at = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
      const options = { port: hub.port, host: "127.0.0.1", path, method, headers: { ...headers, host: DOMAIN } };
      const sent = request({ ...options, agent: false }, async (response) => {
        let text = "";
        for await (const chunk of response.setEncoding("utf8")) text += chunk;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
      sent.on("error", reject);
      sent.end();
    });
  return { hub, at, ...filled };
};

describe("at the domain of a page", () => {
  it("no answer has an address of the hub or a path below it", async () => {
    const { at, page, incident } = await setUp();
    const component = page.components[0]?.key ?? "";
    const paths = [
      ...["/", "/history", `/incidents/${incident}`, "/robots.txt", "/nothing", "/incidents/abcdefghijkl"],
      ...STATUSPAGE_DOCUMENTS.map((name) => `/api/v2/${name}.json`),
      ...RESOURCES.map((name) => `/${name.replace(/\[a-z0-9\]\+/, name.startsWith("badge") ? component : incident)}`),
    ];
    for (const accept of [BROWSER, "*/*"])
      for (const path of paths) {
        const { text } = await at(path, { accept });
        expect([path, /.{0,50}(watch\.example|\/status\/|\/up\/|127\.0\.0\.1).{0,50}/.exec(text)?.[0]]).toEqual([
          path,
          undefined,
        ]);
      }
  });

  it("data names incidents by paths that open, with a version that is revalidated", async () => {
    const { hub, at, incident } = await setUp();
    const { headers, text } = await at("/data.json");
    const { data } = JSON.parse(text);
    const path = `/incidents/${incident}`;
    expect(data.incidents.map((one: { path: string }) => one.path)).toEqual([path]);
    expect(JSON.parse((await at(`${path}.json`)).text).incident.path).toBe(path);
    expect(JSON.parse((await at("/history.json")).text).history.incidents[0].path).toBe(path);
    expect((await at(path)).status).toBe(200);
    const etag = String(headers.etag);
    expect([headers["content-type"], headers["cache-control"]]).toEqual(["application/json", "no-cache"]);
    expect((await at("/data.json", { "if-none-match": etag })).status).toBe(304);
    expect((await at("/data.json", { "accept-encoding": "gzip" })).headers["content-encoding"]).toBe("gzip");
    const head = await at("/data.json", {}, "HEAD");
    expect([head.status, head.headers.etag, head.text]).toEqual([200, etag, ""]);
    // At the hub, paths are below it.
    const own = await hub.call("/up/status/shop/data.json", { headers: { host: HUB } });
    expect(JSON.parse(own.text).data.incidents[0].path).toBe(`/status/shop${path}`);
    expect(own.headers.get("etag")).not.toBe(etag);
  });

  it("incidents in Statuspage's form link a page that opens", async () => {
    const { at, incident } = await setUp();
    const { incidents } = JSON.parse((await at("/api/v2/incidents.json")).text);
    expect(incidents[0].shortlink).toBe(`https://${DOMAIN}/incidents/${incident}`);
  });

  it("an address with nothing is a document for browsers, with a link to the page, and JSON for programs", async () => {
    const { at } = await setUp();
    for (const path of ["/nothing", "/login", "/api/auth/me", "/up/", "/incidents/abcdefghijkl", "/x.js", "/%00"]) {
      const { status, headers, text } = await at(path, { accept: BROWSER, "accept-language": "en" });
      expect([path, status, headers["content-type"]]).toEqual([path, 404, "text/html; charset=utf-8"]);
      expect(text).toInclude("<title>Page not found · Secret shop</title>");
      expect(text).toInclude("There is nothing at this address.");
      expect(text).toInclude('<a class="enter" href="./">Go to the status page</a>');
      expect(text).toInclude('<base href="/">');
      expect(text).not.toMatch(/id="settings"|type="module"/);
      expect(headers["content-security-policy"]).toBe((await at("/")).headers["content-security-policy"]);
      expect([headers["x-robots-tag"], headers["cache-control"]]).toEqual(["noindex", "no-store"]);
    }
    const chinese = await at("/nothing?lang=zh-CN", { accept: BROWSER, "accept-language": "en" });
    expect(chinese.text).toInclude('lang="zh-CN"');
    expect(chinese.text).toInclude('<a class="enter" href="./?lang=zh-CN">前往状态页</a>');
    expect((await at("/nothing", { accept: BROWSER }, "HEAD")).text).toBe("");
    for (const accept of ["*/*", "application/json", ""]) {
      const { status, headers, text } = await at("/nothing", { accept });
      expect([status, headers["content-type"]]).toEqual([404, "application/json;charset=utf-8"]);
      expect(JSON.parse(text).success).toBe(false);
    }
    for (const method of ["POST", "DELETE"])
      expect((await at("/nothing", { accept: BROWSER }, method)).text).toInclude('"success":false');
  });

  it("the document of a private page does not name its title", async () => {
    const { at } = await setUp({ access: "password", password: "open sesame" });
    const { status, text } = await at("/nothing", { accept: BROWSER, "accept-language": "en" });
    expect([status, text.includes("Service status")]).toEqual([404, true]);
    expectNoLeak(text);
  });
});
