import { expect, it } from "bun:test";
import { version } from "../../build-info";
import { type IpFamily, METHODS } from "../../shared/monitor";
import { until } from "../../testing/clock";
import { closedPort, serveRaw } from "../../testing/servers/raw";
import { probe, targetOf } from "../../testing/servers/target-of";
import { serveRedirects, serveStatus, serveTarget } from "../../testing/servers/targets";

it("sends its own User-Agent unless the monitor has one", async () => {
  const { url, requests } = serveTarget();
  await probe(targetOf({ url }));
  await probe(targetOf({ url, headers: { "User-Agent": "bob's own" } }));
  expect(requests.map(({ headers }) => headers["user-agent"])).toEqual([`Wakeful/${version}`, "bob's own"]);
});

it("sends the monitor's headers, including Host", async () => {
  const { url, requests } = serveTarget();
  await probe(targetOf({ url, headers: { Host: "shop.example", "X-Token": "abc def", Accept: "text/plain" } }));
  expect(requests[0]?.headers).toMatchObject({ host: "shop.example", "x-token": "abc def", accept: "text/plain" });
});

it("sends a body with POST, PUT and PATCH only", async () => {
  const { url, requests } = serveTarget();
  for (const method of METHODS) await probe(targetOf({ url, method, body: "ping" }));
  expect(requests.map(({ method, body }) => [method, body])).toEqual([
    ["GET", ""],
    ["POST", "ping"],
    ["PUT", "ping"],
    ["PATCH", "ping"],
    ["DELETE", ""],
    ["HEAD", ""],
  ]);
});

it("opens a new connection for each request, and closes it", async () => {
  const { url, open, counts } = await serveRaw((socket) =>
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok"),
  );
  for (let time = 1; time <= 3; time++) {
    expect(await probe(targetOf({ url }))).toMatchObject({ up: true });
    expect(counts.connections).toBe(time);
  }
  await until(() => open.size === 0, "the connections to be closed");
});

it("sends the credentials of the URL by Basic authentication, and leaves them out of the URL and of errors", async () => {
  const { port, requests } = serveTarget((request) =>
    request.headers.has("authorization") ? new Response("fine") : new Response(null, { status: 401 }),
  );
  const outcome = await probe(targetOf({ url: `http://alice:p%40ss%3Aw%C3%B6rd@127.0.0.1:${port}/in?x=1` }));
  expect(outcome.up).toBe(true);
  expect(requests[0]?.path).toBe("/in?x=1");
  const [scheme, encoded] = requests[0]?.headers.authorization?.split(" ") ?? [];
  expect([scheme, Buffer.from(encoded ?? "", "base64").toString()]).toEqual(["Basic", "alice:p@ss:wörd"]);

  const url = `http://alice:hunter2@127.0.0.1:${await closedPort()}/?key=hunter3`;
  expect(JSON.stringify((await probe(targetOf({ url }))).error)).not.toMatch(/hunter|alice|\?key/);
});

it("prefers an Authorization header to the credentials of the URL", async () => {
  const { port, requests } = serveTarget();
  await probe(targetOf({ url: `http://alice:secret@127.0.0.1:${port}/`, headers: { authorization: "Bearer t" } }));
  expect(requests[0]?.headers.authorization).toBe("Bearer t");
});

it("sends malformed percent-encoding in credentials literally", async () => {
  const { port, requests } = serveTarget();
  expect(await probe(targetOf({ url: `http://alice:100%25%zz@127.0.0.1:${port}/` }))).toMatchObject({ up: true });
  expect(requests).toHaveLength(1);
});

it("is up with the expected status or class only, and otherwise reports the actual status", async () => {
  const { url, answer } = serveStatus(503);
  expect(await probe(targetOf({ url, expectedStatus: 503 }))).toMatchObject({ up: true, statusCode: 503, error: null });
  expect(await probe(targetOf({ url, expectedStatus: 2 }))).toMatchObject({
    up: false,
    statusCode: 503,
    error: { code: "status", detail: { actual: 503, expected: "2xx" } },
  });
  answer.status = 404;
  expect((await probe(targetOf({ url, expectedStatus: 4 }))).up).toBe(true);
  expect((await probe(targetOf({ url, expectedStatus: 200 }))).error).toEqual({
    code: "status",
    detail: { actual: 404, expected: "200" },
  });
});

it("is up with any of several statuses, which win over the single one", async () => {
  const { url, answer } = serveStatus(401);
  const several = (expectedStatuses: string) => probe(targetOf({ url, expectedStatus: 200, expectedStatuses }));
  for (const accepted of ["200-299,401", "401", "4xx", "400-499"])
    expect([accepted, (await several(accepted)).up]).toEqual([accepted, true]);
  answer.status = 200;
  expect((await several("401,500-599")).error).toEqual({
    code: "status",
    detail: { actual: 200, expected: "401,500-599" },
  });
  expect((await several("")).up).toBe(true);
});

it("follows no redirect if one of several statuses is a redirect", async () => {
  const { url, requests } = serveRedirects({ "/": "/next" });
  expect(await probe(targetOf({ url, expectedStatuses: "200,302" }))).toMatchObject({ up: true, statusCode: 302 });
  expect(await probe(targetOf({ url, expectedStatuses: "200-299" }))).toMatchObject({ up: true, statusCode: 200 });
  expect(requests.map(({ path }) => path)).toEqual(["/", "/", "/next"]);
});

it("connects by the chosen IP version only", async () => {
  const { port } = serveTarget();
  const at = (host: string, ipFamily: IpFamily) => probe(targetOf({ url: `http://${host}:${port}/`, ipFamily }));
  expect(await at("localhost", "4")).toMatchObject({ up: true, address: "127.0.0.1" });
  expect(await at("[::1]", "6")).toMatchObject({ error: { code: "refused" }, address: "::1" });
  expect((await at("127.0.0.1", "6")).error).toEqual({ code: "dns_no_family", detail: { family: 6 } });
  expect((await at("[::1]", "4")).error).toEqual({ code: "dns_no_family", detail: { family: 4 } });
});

it("measures the response time in milliseconds to a tenth, also for an unexpected status", async () => {
  const { url } = serveStatus(500);
  const { responseTime } = await probe(targetOf({ url }));
  expect(responseTime).toBeGreaterThan(0);
  expect(Math.round((responseTime ?? 0) * 10)).toBeCloseTo((responseTime ?? 0) * 10, 6);
});

it("measures the phases of a request, which add up to the response time, also over redirects", async () => {
  const { url } = serveRedirects({ "/": "/next" });
  const { phases, responseTime } = await probe(targetOf({ url }));
  const sum = Object.values(phases ?? {}).reduce((total, part) => total + part, 0);
  expect(Object.keys(phases ?? {})).toEqual(["dns", "connect", "tls", "firstByte", "download"]);
  expect(sum).toBeGreaterThan(0);
  expect(sum).toBeLessThanOrEqual((responseTime ?? 0) + 0.1);
  const refused = await probe(targetOf({ url: `http://127.0.0.1:${await closedPort()}/` }));
  expect([refused.error?.code, refused.phases?.firstByte]).toEqual(["refused", 0]);
});

it("sends headers beyond ASCII, or fails with an error code", async () => {
  const { url, requests } = serveTarget();
  const outcome = await probe(targetOf({ url, headers: { "X-Name": "naïve 名" } }));
  expect(outcome.up ? requests.length : outcome.error?.code).toEqual(outcome.up ? 1 : "invalid_response");
});

it("has the address of the host that answered, or that refused the connection", async () => {
  for (const { url } of [serveStatus(503), { url: `http://127.0.0.1:${await closedPort()}/` }])
    expect(await probe(targetOf({ url }))).toMatchObject({ up: false, address: "127.0.0.1" });
});
