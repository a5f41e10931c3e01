import { describe, expect, it } from "bun:test";
import type { Assertion } from "../../shared/assertions";
import { until } from "../../testing/clock";
import * as raw from "../../testing/servers/raw";
import { probe, targetOf } from "../../testing/servers/target-of";
import { serveTarget } from "../../testing/servers/targets";

const MEBIBYTE = 1024 * 1024;

describe("a target that misbehaves is down, with a code", () => {
  const cases: [what: string, behave: raw.Behaviour, errors: string[], phase?: string][] = [
    ["accepts and never answers", raw.hang, ["timeout"], "first_byte"],
    ["drips its headers", raw.drippingHeaders, ["timeout"], "download"],
    ["drips its body", raw.drippingBody, ["timeout"], "download"],
    ["promises a body and is silent", raw.headOnly, ["timeout"], "download"],
    ["resets the connection", raw.reset, ["reset"]],
    ["closes without an answer", raw.closeAtOnce, ["reset"]],
    ["closes within the body", raw.shortBody, ["reset"]],
    ["does not speak HTTP", raw.garbage, ["invalid_response"]],
    ["breaks its chunks", raw.brokenChunks, ["invalid_response", "reset"]],
    ["never ends its headers", raw.endlessHeaders, ["invalid_response"]],
    ["never ends one header", raw.endlessHeaderLine, ["invalid_response"]],
  ];
  for (const [what, behave, errors, phase] of cases) {
    it(`one that ${what}`, async () => {
      const target = await raw.serveRaw(behave);
      const outcome = await probe(targetOf({ url: target.url, timeout: 1 }));
      expect(outcome).toMatchObject({ up: false, responseTime: null, statusCode: null });
      expect(errors).toContain(outcome.error?.code ?? "");
      expect(outcome.error?.detail?.phase).toBe(phase);
      await until(() => target.open.size === 0, "the connection to be closed");
      expect(target.counts.sent).toBeLessThan(16 * MEBIBYTE);
    });
  }

  it("one whose port is closed", async () => {
    const url = `http://127.0.0.1:${await raw.closedPort()}/`;
    expect((await probe(targetOf({ url }))).error?.code).toBe("refused");
  });

  it("one whose name does not exist", async () => {
    expect((await probe(targetOf({ url: "http://nowhere.invalid/" }))).error?.code).toBe("dns_no_name");
  });
});

describe("an endless answer", () => {
  for (const [what, behave] of Object.entries({ body: raw.endlessBody, chunks: raw.endlessChunks })) {
    it(`${what}: it is read to 1 MiB, counts as an answer, and its connection is closed`, async () => {
      const target = await raw.serveRaw(behave);
      expect(await probe(targetOf({ url: target.url, timeout: 60 }))).toMatchObject({ up: true, statusCode: 200 });
      await until(() => target.open.size === 0, "the connection to be closed");
      expect(target.counts.sent).toBeLessThan(16 * MEBIBYTE);
    });
  }

  it("is not decompressed: 200 MB of zeros stay the few bytes of their compressed form", async () => {
    const packed = Bun.gzipSync(Buffer.alloc(200 * MEBIBYTE));
    const target = serveTarget(() => new Response(packed, { headers: { "content-encoding": "gzip" } }));
    const before = process.memoryUsage().rss;
    expect(await probe(targetOf({ url: target.url, timeout: 60 }))).toMatchObject({ up: true, statusCode: 200 });
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * MEBIBYTE);
  });
});

it("a body that cannot be decompressed is accepted", async () => {
  const target = serveTarget(() => new Response("not gzip", { headers: { "content-encoding": "gzip" } }));
  expect(await probe(targetOf({ url: target.url }))).toMatchObject({ up: true, statusCode: 200 });
});

describe("an answer without a body", () => {
  it("is complete with a 204", async () => {
    const target = serveTarget(() => new Response(null, { status: 204 }));
    const outcome = await probe(targetOf({ url: target.url, expectedStatus: 2 }));
    expect(outcome).toMatchObject({ up: true, statusCode: 204, error: null });
  });

  it("is complete after HEAD with any Content-Length", async () => {
    const target = await raw.serveRaw(raw.headOnly);
    expect(await probe(targetOf({ url: target.url, method: "HEAD", timeout: 10 }))).toMatchObject({ up: true });
  });
});

it("bodies that are kept take at most 256 MiB together, and the hub is named as the reason", async () => {
  const size = 1000 * 1024;
  const target = await raw.serveRaw((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${MEBIBYTE}\r\n\r\n`);
    socket.write("x".repeat(size));
  });
  const assertions: Assertion[] = [{ on: "body", path: "", op: "contains", value: "y", ignore_case: false }];
  const ended: (string | undefined)[] = [];
  const checks = Array.from({ length: 300 }, () =>
    probe(targetOf({ url: target.url, timeout: 120, assertions })).then(
      ({ error }) => ended.push(error?.code),
      (error) => ended.push(error.condition),
    ),
  );
  // The other bodies stay unfinished until their connections are closed, however slow this machine is.
  await until(() => ended.length > 10, "bodies that exceed the memory limit");
  expect(new Set(ended)).toEqual(new Set(["memory"]));
  await until(() => ended.length + target.open.size === 300, "every check to hold a body or to be refused");
  expect(ended.length).toBeLessThan(60);
  for (const socket of target.open) socket.destroy();
  await Promise.all(checks);
  expect(new Set(ended)).toEqual(new Set(["memory", "reset"]));
  // All of it is free again.
  const short = serveTarget(() => new Response("y"));
  expect(await probe(targetOf({ url: short.url, assertions }))).toMatchObject({ up: true });
});
