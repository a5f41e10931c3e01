import { describe, expect, it } from "bun:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import type { Assertion } from "../../shared/assertions";
import { checkErrorMessage } from "../../shared/check-error";
import { createRandom, seedOr } from "../../testing/random";
import { probe, targetOf } from "../../testing/servers/target-of";
import { serveTarget } from "../../testing/servers/targets";
import { checkAssertions } from "./assertions";
import { includesText } from "./keyword";

const SEED = seedOr(7);

const MEBIBYTE = 1024 * 1024;

const assertion = (fields: Pick<Assertion, "on" | "op"> & Partial<Assertion>): Assertion => ({
  path: "",
  value: "",
  ignore_case: false,
  ...fields,
});
const bodyHas = (value: string, fields: Partial<Assertion> = {}) =>
  assertion({ on: "body", op: "contains", value, ...fields });
const json = (path: string, op: Assertion["op"], value = "") => assertion({ on: "json", path, op, value });
const header = (path: string, op: Assertion["op"], value = "") => assertion({ on: "header", path, op, value });

/** The code of the first assertion that does not hold for this body and these headers. */
const check = async (given: Assertion | Assertion[], text: string, headers: Record<string, string> = {}) =>
  (await checkAssertions([given].flat(), { text, headers: new Map(Object.entries(headers)), isCut: false }))?.code ??
  null;

describe("an assertion", () => {
  it("on the body looks for a text, with or without regard to case", async () => {
    expect(await check(bodyHas("Fine"), "all is Fine")).toBeNull();
    expect(await check(bodyHas("fine"), "all is Fine")).toBe("keyword_missing");
    expect(await check(bodyHas("fINE", { ignore_case: true }), "all is Fine")).toBeNull();
    expect(await check(bodyHas("error", { op: "lacks" }), "all is fine")).toBeNull();
    expect(await check(bodyHas("fine", { op: "lacks" }), "all is fine")).toBe("keyword_present");
    expect(await check(bodyHas("ERROR", { op: "lacks", ignore_case: true }), "an error")).toBe("keyword_present");
  });

  it("names a text that is cut between two characters, because a database refuses half of one", async () => {
    for (const text of ["🚀".repeat(100), `a${"🚀".repeat(100)}`]) {
      const error = await checkAssertions([bodyHas(text)], { text: "", headers: new Map(), isCut: false });
      expect(error && checkErrorMessage(error).isWellFormed()).toBe(true);
    }
  });

  it("on JSON compares numbers as numbers only if both are", async () => {
    const document = '{"n":10,"s":"10","z":"007","t":"text","b":true,"x":null,"l":[1,"a"],"o":{}}';
    const holds = [
      json("n", "=", "10"),
      json("n", "=", "10.0"),
      json("n", "!=", "9"),
      json("n", ">", "9"),
      json("s", ">", "9"),
      json("n", "<=", "10"),
      json("z", "!=", "7"),
      json("z", "=", "007"),
      json("b", "=", "true"),
      json("x", "=", "null"),
      json("x", "exists"),
      json("l", "contains", "a"),
      json("l", "contains", "1"),
      json("l", "lacks", "b"),
      json("t", "contains", "ex"),
      json("o", "!=", "{}"),
      json("none", "lacks", "x"),
    ];
    for (const one of holds) expect([one, await check(one, document)]).toEqual([one, null]);
    for (const one of [
      json("n", "<", "9"),
      json("t", ">", "1"),
      json("x", "<", "1"),
      json("b", ">=", "0"),
      json("l", "=", "1"),
      json("o", "=", "{}"),
      json("o", "contains", "x"),
      json("l", "lacks", "a"),
      json("t", "=", "Text"),
    ])
      expect([one, await check(one, document)]).toEqual([one, "json_mismatch"]);
    for (const op of ["=", "!=", "<", "contains", "exists"] as const)
      expect([op, await check(json("none", op, "1"), document)]).toEqual([op, "json_missing"]);
  });

  it("on JSON holds for every value that a path of RFC 9535 finds", async () => {
    const document = '[{"status":"ok"},{"status":"bad"}]';
    expect(await check(json("$[*].status", "=", "ok"), document)).toBe("json_mismatch");
    expect(await check(json("$[*].status", "!=", "worse"), document)).toBeNull();
    expect(await check(json("$[*].status", "lacks", "bad"), document)).toBe("json_mismatch");
  });

  it("on a header compares its values", async () => {
    const headers = { "content-type": "text/html; charset=utf-8", "x-n": "5" };
    expect(await check(header("Content-Type", "contains", "html"), "", headers)).toBeNull();
    expect(await check(header("X-N", "=", "5"), "", headers)).toBeNull();
    expect(await check(header("X-N", "!=", "5"), "", headers)).toBe("header_mismatch");
    expect(await check(header("Server", "exists"), "", headers)).toBe("header_missing");
    expect(await check(header("Server", "lacks", "x"), "", headers)).toBeNull();
  });

  it("that fails first is the error, without anything of the response in it", async () => {
    const response = { text: '{"a":"s3cret"}', headers: new Map([["x", "s3cret"]]), isCut: false };
    const given = [json("a", "exists"), json("a", "=", "ok"), bodyHas("more"), header("X", "=", "ok")];
    const errors = await Promise.all(given.map((_, index) => checkAssertions(given.slice(index), response)));
    expect(errors.map((error) => error && checkErrorMessage(error))).toEqual([
      "json: the JSON value a is not as expected: = ok",
      "json: the JSON value a is not as expected: = ok",
      'keyword: the text "more" is not in the body',
      "header: the header X is not as expected: = ok",
    ]);
    const long = await checkAssertions([json(`$.${"x".repeat(240)}`, "=", "y".repeat(900))], response);
    expect(JSON.stringify(long).length).toBeLessThan(200);
  });

  it("on JSON fails with a body that is not JSON", async () => {
    for (const text of ["", "<html>", "{", "undefined"])
      expect(await check(json("a", "exists"), text)).toBe("json_invalid");
  });

  it(`searches any text and value in a time that grows with the text only (seed ${SEED})`, async () => {
    const random = createRandom(SEED);
    const text = (length: number) => Array.from({ length }, () => random.pick(["a", "b"])).join("");
    for (let round = 0; round < 500; round++) {
      const [whole, value] = [text(random.below(200)), text(1 + random.below(16))];
      expect([whole, value, includesText(whole, value)]).toEqual([whole, value, whole.includes(value)]);
    }
    const values = [0, 512, 1023].map((at) => `${"x".repeat(at)}q${"x".repeat(1023 - at)}`);
    const given = values.flatMap((value) =>
      [true, false].map((ignore_case) => bodyHas(value, { op: "lacks", ignore_case })),
    );
    expect(await check(given, "x".repeat(MEBIBYTE))).toBeNull();
  });

  it("on JSON fails with a body of more levels or members than are parsed quickly, or with too much to visit", async () => {
    const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":{}`).join(",")}}`;
    expect(await check(json("k1", "exists"), members(49_000))).toBeNull();
    expect(await check(json("k1", "exists"), members(51_000))).toBe("json_too_large");
    expect(await check(json("a", "exists"), "[".repeat(MEBIBYTE))).toBe("json_too_large");
    const texts = JSON.stringify(Array(1000).fill('{[:\\"'.repeat(100)));
    expect(await check(json("[999]", "exists"), texts)).toBeNull();
    const numbers = JSON.stringify(Array(30_000).fill(1));
    const every = json("$[*]", "!=", "2");
    expect(await check(every, numbers)).toBeNull();
    expect(await check([every, every, every], numbers)).toBe("json_too_large");
  });
});

/** Probes a target that answers this. */
const probeOf = (body: string | Uint8Array, headers: Record<string, string>, ...assertions: Assertion[]) => {
  const target = serveTarget(() => new Response(body as BodyInit, { headers }));
  return { target, outcome: probe(targetOf({ url: target.url, assertions, timeout: 5 })) };
};
const codeOf = async (...given: Parameters<typeof probeOf>) => (await probeOf(...given).outcome).error?.code ?? null;

describe("a body with assertions", () => {
  it("is decompressed, and only then asked for in compressed form", async () => {
    const packed = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
    for (const [encoding, pack] of Object.entries(packed))
      expect([encoding, await codeOf(pack("all is fine"), { "content-encoding": encoding }, bodyHas("fine"))]).toEqual([
        encoding,
        null,
      ]);
    expect(await codeOf(deflateRawSync("all is fine"), { "content-encoding": "deflate" }, bodyHas("fine"))).toBeNull();
    const twice = gzipSync(brotliCompressSync("all is fine"));
    expect(await codeOf(twice, { "content-encoding": "br, gzip" }, bodyHas("fine"))).toBeNull();
    const { target, outcome } = probeOf("fine", {}, header("Content-Length", "exists"));
    await outcome;
    expect(target.requests[0]?.headers["accept-encoding"]).toBeUndefined();
    const other = probeOf("fine", {}, bodyHas("fine"));
    await other.outcome;
    expect(other.target.requests[0]?.headers["accept-encoding"]).toBe("gzip, deflate, br, zstd");
  });

  it("that can't be decompressed is down with its status", async () => {
    for (const encoding of ["gzip", "br", "unknown", "gzip, gzip, gzip, gzip"])
      expect(await probeOf("not compressed", { "content-encoding": encoding }, bodyHas("x")).outcome).toMatchObject({
        up: false,
        statusCode: 200,
        error: { code: "body_unreadable" },
      });
  });

  it("is decompressed to 1 MiB at most: a gzip bomb of 200 MB costs no memory", async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from("start "), Buffer.alloc(200 * MEBIBYTE), Buffer.from("end")]));
    const encoding = { "content-encoding": "gzip" };
    const before = process.memoryUsage().rss;
    expect(await codeOf(bomb, encoding, bodyHas("start"))).toBeNull();
    expect(await codeOf(bomb, encoding, bodyHas("end"))).toBe("keyword_missing");
    expect(await codeOf(bomb, encoding, json("a", "exists"))).toBe("body_too_large");
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * MEBIBYTE);
  });

  it("is decoded by its Content-Type, by what it states, or as UTF-8", async () => {
    const gb18030 = Buffer.from("b7fecef1d5fdb3a3", "hex");
    const page = (start: string) => Buffer.concat([Buffer.from(start), gb18030]);
    const found = bodyHas("服务正常");
    expect(await codeOf(gb18030, { "content-type": "text/plain; charset=GB18030" }, found)).toBeNull();
    expect(await codeOf(page('<meta charset="gb2312">'), {}, found)).toBeNull();
    const meta = '<meta http-equiv="Content-Type" content="text/html; charset=gbk">';
    expect(await codeOf(page(meta), { "content-type": "text/html" }, found)).toBeNull();
    expect(await codeOf(page('<?xml version="1.0" encoding="GB18030"?>'), {}, found)).toBeNull();
    expect(await codeOf("服务正常", { "content-type": "text/plain" }, found)).toBeNull();
    expect(await codeOf("服务正常", { "content-type": "text/plain; charset=no-such" }, found)).toBeNull();
    const spaces = `text/plain; charset=${" ".repeat(60_000)}!`;
    for (let round = 0; round < 20; round++)
      expect(await codeOf("服务正常", { "content-type": spaces }, found)).toBeNull();
    expect(await codeOf(Buffer.from("\ufeff服务正常", "utf16le"), {}, found)).toBeNull();
    expect(await codeOf(`\ufeff{"a":"服务正常"}`, {}, json("a", "=", "服务正常"))).toBeNull();
    expect(await codeOf(gb18030, {}, found)).toBe("keyword_missing");
  });

  it("may be JSON of 10,000 levels", async () => {
    const deep = `${"[".repeat(10_000)}1${"]".repeat(10_000)}`;
    expect(await codeOf(deep, {}, json("[0][0]", "exists"), json("[0].length", "=", "1"))).toBeNull();
    expect(await codeOf(deep, {}, json("$..a", "lacks", "x"))).toBeNull();
    const wide = JSON.stringify(Array(100_001).fill(0));
    for (const op of ["exists", "lacks"] as const)
      expect(await codeOf(wide, {}, json("$..a", op, "x"))).toBe("json_too_large");
    expect(await codeOf(wide, {}, json("[50000]", "=", "0"))).toBeNull();
  });

  it("that arrives slowly is down after the timeout", async () => {
    const target = serveTarget(
      () => new Response(new ReadableStream({ pull: (stream) => Bun.sleep(50).then(() => stream.enqueue("x")) })),
    );
    const { error } = await probe(targetOf({ url: target.url, timeout: 1, assertions: [bodyHas("fine")] }));
    expect(error).toEqual({ code: "timeout", detail: { seconds: 1, phase: "download" } });
  });

  it("is not looked at when the status is not the expected one", async () => {
    const target = serveTarget(() => new Response("x", { status: 500 }));
    const { error } = await probe(targetOf({ url: target.url, assertions: [bodyHas("fine")] }));
    expect(error?.code).toBe("status");
  });
});

it("a limit of the response time marks slow responses, and makes no check fail", async () => {
  const target = serveTarget();
  const slowWith = async (assertions: Assertion[]) => {
    const { up, slow } = await probe(targetOf({ url: target.url, assertions }));
    return [up, slow];
  };
  expect(await slowWith([assertion({ on: "time", op: "<", value: "60000" })])).toEqual([true, false]);
  expect(await slowWith([assertion({ on: "time", op: "<", value: "0.001" })])).toEqual([true, true]);
  expect(await slowWith([])).toEqual([true, undefined]);
});
