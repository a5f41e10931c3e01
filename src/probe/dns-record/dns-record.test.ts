import { describe, expect, it } from "bun:test";
import { createLog } from "../../core/log";
import { systemClock } from "../../lib/time";
import { checkError } from "../../shared/check-error";
import { type Handler, QUESTION, replyTo, serveNames, wireName, wireRecord } from "../../testing/servers/name-server";
import { closedPort } from "../../testing/servers/raw";
import { targetOf, testOutbound } from "../../testing/servers/target-of";
import { createSystemDns } from "../dns/system-dns";
import { LocalFailure } from "../local-failure";
import { createOutbound, type Outbound } from "../outbound";
import { type DnsTarget, parseNameServer, probeDns } from "./dns-record";

const { caller } = targetOf({ url: "http://unused.example/" });
const A = wireRecord(QUESTION, 1, Buffer.from([192, 0, 2, 1]));
const good: Handler = (query) => replyTo(query, { answers: [A] });

const target = (fields: Partial<DnsTarget>): DnsTarget => ({
  name: "Shop.Example.",
  type: "A",
  server: null,
  expect: null,
  timeout: 5,
  caller,
  ...fields,
});
const probe = (fields: Partial<DnsTarget>, outbound: Outbound = testOutbound) => probeDns(target(fields), outbound);

/** The error of a query to a server with this handler; null when up. */
const errorWith = async (handler: Handler, fields: Partial<DnsTarget> = {}) =>
  (await probe({ server: (await serveNames(handler)).server, ...fields })).error;

/** An outbound whose machine has these name servers, with evidence on whether they answer. */
const machineWith = (servers: string[], isAnswering = true) =>
  createOutbound(
    { clock: systemClock, log: createLog("silent", false, () => {}) },
    { ...createSystemDns(), isAnswering: async () => isAnswering },
    { nameServers: () => servers },
  );

describe("a DNS probe", () => {
  it("is up when the name has records, and when they are the expected ones", async () => {
    const { server } = await serveNames(good);
    const outcome = await probe({ server });
    expect(outcome).toMatchObject({ up: true, error: null, statusCode: null, address: "127.0.0.1" });
    expect(outcome.responseTime).toBeGreaterThanOrEqual(0);
    expect((await probe({ server, expect: { op: "equals", values: ["192.0.2.1"] } })).up).toBe(true);
    const other = await probe({ server, expect: { op: "contains", values: ["192.0.2.2"] } });
    expect([other.up, other.error]).toEqual([false, checkError("dns_mismatch", { type: "A" })]);
  });

  it("keeps at most 20 sorted records, none longer than 255 characters", async () => {
    const texts = Array.from({ length: 25 }, (_, place) => [String(50 - place), "x".repeat(254)]);
    const answers = texts.map((parts) =>
      wireRecord(
        QUESTION,
        16,
        Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)]))),
      ),
    );
    const { server } = await serveNames((query) => replyTo(query, { answers }));
    const { records = [] } = await probe({ server, type: "TXT" });
    expect(records).toHaveLength(20);
    expect(records.map((record) => record.length)).toEqual(Array(20).fill(255));
    expect(records[0]).toBe(`26${"x".repeat(252)}…`);
    expect(records).toEqual(records.toSorted());
    const none = await serveNames((query) => replyTo(query, {}));
    expect(await probe({ server: none.server })).not.toHaveProperty("records");
  });

  it("tells a missing name, a missing record and the failures of a server apart", async () => {
    const soa = wireRecord(QUESTION, 6, Buffer.concat([wireName("a"), wireName("b"), Buffer.alloc(20)]));
    const ns = wireRecord(QUESTION, 2, wireName("ns.example"));
    const none = checkError("dns_no_record", { type: "A" });
    expect(await errorWith((query) => replyTo(query, { code: 3 }))).toEqual(checkError("dns_no_name"));
    expect(await errorWith((query) => replyTo(query, {}))).toEqual(none);
    expect(await errorWith((query) => replyTo(query, { flags: 0x8400, authorities: [soa] }))).toEqual(none);
    expect(await errorWith((query) => replyTo(query, { code: 2 }))).toEqual(checkError("dns_server_failed"));
    for (const code of [4, 5])
      expect(await errorWith((query) => replyTo(query, { code }))).toEqual(checkError("dns_refused"));
    // A server that refers to others does not answer for the name itself.
    expect(await errorWith((query) => replyTo(query, { flags: 0x8000, authorities: [ns] }))).toEqual(
      checkError("dns_refused"),
    );
    expect(await errorWith((query) => replyTo(query, { code: 1 }))).toEqual(checkError("dns_invalid"));
  });

  it("fails with timeout when nothing or only answers to other queries arrive", async () => {
    const timeout = checkError("timeout", { seconds: 0.2 });
    expect(await errorWith(() => null, { timeout: 0.2 })).toEqual(timeout);
    const others: Handler = (query) => [
      replyTo(query, { id: (query.readUInt16BE(0) + 1) % 65_536, answers: [A] }),
      query,
      Buffer.alloc(3),
    ];
    expect(await errorWith(others, { timeout: 0.2 })).toEqual(timeout);
  });

  it("ignores answers with another id before the right one", async () => {
    const noisy: Handler = (query) => [
      replyTo(query, { id: (query.readUInt16BE(0) + 1) % 65_536, code: 3 }),
      replyTo(query, { answers: [A] }),
    ];
    expect(await errorWith(noisy)).toBeNull();
  });

  it("sends a query again that was lost", async () => {
    let count = 0;
    const { server, asked } = await serveNames((query) => (count++ === 0 ? null : replyTo(query, { answers: [A] })));
    expect((await probe({ server })).up).toBe(true);
    expect(asked).toEqual(["udp", "udp"]);
  });

  it("asks by TCP when the answer is truncated", async () => {
    const { server, asked } = await serveNames((query, over) =>
      over === "udp" ? replyTo(query, { flags: 0x8380 }) : replyTo(query, { answers: Array(200).fill(A) }),
    );
    expect((await probe({ server })).up).toBe(true);
    expect(asked).toEqual(["udp", "tcp"]);
    const always: Handler = (query) => replyTo(query, { flags: 0x8380, answers: [A] });
    expect(await errorWith(always)).toEqual(checkError("dns_invalid"));
  });

  it("asks without extensions a server that does not know them", async () => {
    const { server, asked } = await serveNames((query) =>
      query.readUInt16BE(10) > 0 ? replyTo(query, { code: 1 }) : replyTo(query, { answers: [A] }),
    );
    expect([(await probe({ server })).up, asked.length]).toEqual([true, 2]);
  });

  it("fails with dns_invalid when the answer is malformed", async () => {
    const cut: Handler = (query) => replyTo(query, { answers: [A.subarray(0, 14)] });
    expect(await errorWith(cut)).toEqual(checkError("dns_invalid"));
    const foreign: Handler = (query, over) =>
      over === "udp" ? replyTo(query, { flags: 0x8380 }) : replyTo(query, { id: (query.readUInt16BE(0) + 1) % 65_536 });
    expect(await errorWith(foreign)).toEqual(checkError("dns_invalid"));
  });

  it("fails with refused when nothing listens at the port of the server", async () => {
    expect((await probe({ server: `127.0.0.1:${await closedPort()}` })).error).toEqual(checkError("refused"));
  });

  it("fails when the system refuses to send to the address of the server", async () => {
    const { up, error } = await probe({ server: "255.255.255.255", timeout: 0.5 });
    expect([up, error?.code]).toEqual([false, "unreachable_network"]);
  });

  it("asks no server at a private address for a caller who may reach public ones only", async () => {
    const { server, asked } = await serveNames(good);
    const user = { ...caller, allowPrivate: false };
    for (const own of [server, "10.0.0.1", "[::1]:53", "169.254.169.254:53"]) {
      const { up, error } = await probe({ server: own, caller: user });
      expect([own, up, error]).toEqual([own, false, checkError("blocked_private")]);
    }
    expect(asked).toEqual([]);
  });
});

describe("the name servers of this machine", () => {
  it("are asked in turn when one fails, refuses or does not answer", async () => {
    const working = (await serveNames(good)).server;
    const failing: Handler[] = [
      (query) => replyTo(query, { code: 2 }),
      (query) => replyTo(query, { code: 5 }),
      () => null,
    ];
    for (const handler of failing) {
      const broken = (await serveNames(handler)).server;
      expect((await probe({}, machineWith([broken, working]))).up).toBe(true);
    }
    const closed = `127.0.0.1:${await closedPort()}`;
    expect((await probe({}, machineWith([closed, working]))).up).toBe(true);
    const missing = (await serveNames((query) => replyTo(query, { code: 3 }))).server;
    expect((await probe({}, machineWith([missing, working]))).error).toEqual(checkError("dns_no_name"));
  });

  it("that answer, but not for this name, are a failure of the name", async () => {
    const silent = (await serveNames(() => null)).server;
    const { error } = await probe({ timeout: 0.2 }, machineWith([silent]));
    expect(error).toEqual(checkError("dns_no_answer"));
  });

  it("that answer nothing at all, or fail for every name, are a local failure", async () => {
    const failing = await serveNames((query) => replyTo(query, { code: 2 }));
    const silent = await serveNames(() => null);
    const servers = [[`127.0.0.1:${await closedPort()}`], [silent.server], [failing.server], []];
    for (const own of servers) {
      const outbound = machineWith(own, false);
      expect(await probe({ timeout: 0.2 }, outbound).catch((error) => error)).toEqual(new LocalFailure("resolver"));
      expect(outbound.conditions().map(({ code }) => code)).toEqual(["resolver"]);
    }
  });
});

it("a name server is an IP address with or without a port", () => {
  const written = ["192.0.2.1", "192.0.2.1:5353", "2001:db8::1", "[2001:db8::1]", " [2001:db8::1]:5353 "];
  expect(written.map(parseNameServer)).toEqual([
    { address: "192.0.2.1", port: 53 },
    { address: "192.0.2.1", port: 5353 },
    { address: "2001:db8::1", port: 53 },
    { address: "2001:db8::1", port: 53 },
    { address: "2001:db8::1", port: 5353 },
  ]);
  const bad = [
    "",
    "ns.example",
    "192.0.2.1:",
    "192.0.2.1:0",
    "192.0.2.1:65536",
    "[192.0.2.1]:53",
    "::1%lo",
    "[::1%lo]:53",
    "1.2.3",
  ];
  for (const text of bad) expect([text, parseNameServer(text)]).toEqual([text, null]);
});
