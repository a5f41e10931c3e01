import { describe, expect, it } from "bun:test";
import { createLog } from "../../core/log";
import { systemClock } from "../../lib/time";
import { checkError } from "../../shared/check-error";
import type { Expectation, RecordType } from "../../shared/monitor-kinds/dns-record";
import { QUESTION, replyTo, serveNames, wireName, wireRecord } from "../../testing/servers/name-server";
import { createSystemDns } from "../dns/system-dns";
import { createOutbound } from "../outbound";
import { readName } from "./data";
import { probeDns } from "./dns-record";

const NUMBERS = { A: 1, NS: 2, TXT: 16, PTR: 12 } as const;
const address = (...bytes: number[]) => Buffer.from(bytes);
const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);

/** The records of a machine's name server, which knows an internal zone besides public ones. */
const RECORDS: Record<string, Partial<Record<keyof typeof NUMBERS, Buffer>>> = {
  com: { NS: wireName("a.gtld.net") },
  "shop.com": { NS: wireName("ns.shop.com"), A: address(8, 8, 8, 8), TXT: text("public") },
  "intra.shop.com": { A: address(10, 0, 0, 5) },
  "corp.net": { NS: wireName("dc.corp.net"), TXT: text("secret") },
  net: { NS: wireName("a.gtld.net") },
  "www.corp.net": { A: address(8, 8, 8, 8) },
  "5.0.0.10.in-addr.arpa": { PTR: wireName("db.corp.net") },
  "8.8.8.8.in-addr.arpa": { PTR: wireName("dns.google") },
  printer: { A: address(8, 8, 8, 8) },
  "nas.lan": { A: address(8, 8, 8, 8) },
};
const ADDRESSES: Record<string, string> = {
  "ns.shop.com": "8.8.4.4",
  "a.gtld.net": "8.8.4.4",
  "dc.corp.net": "10.0.0.2",
};

const machine = async () => {
  const asked: string[] = [];
  const { server } = await serveNames((query) => {
    const { name, end } = readName(query, 12);
    const type = query.readUInt16BE(end);
    asked.push(name);
    const known = RECORDS[name];
    const data = Object.entries(known ?? {}).find(([key]) => NUMBERS[key as keyof typeof NUMBERS] === type)?.[1];
    return replyTo(query, { code: known ? 0 : 3, answers: data ? [wireRecord(QUESTION, type, data)] : [] });
  });
  const dns = {
    ...createSystemDns(),
    isAnswering: async () => true,
    lookup: async (name: string) => {
      const found = ADDRESSES[name];
      if (found === undefined) throw Object.assign(new Error(name), { code: "ENOTFOUND" });
      return [{ address: found, ttl: 0 }];
    },
  };
  const log = createLog("silent", false, () => {});
  return { asked, outbound: createOutbound({ clock: systemClock, log }, dns, { nameServers: () => [server] }) };
};

type Asked = [name: string, type: RecordType, expect?: Expectation | null];

const probeAs = async (allowPrivate: boolean, [name, type, expect = null]: Asked) => {
  const { outbound, asked } = await machine();
  const caller = { key: "a test", lookups: 50, allowPrivate };
  const outcome = await probeDns({ name, type, server: null, expect, timeout: 5, caller }, outbound);
  return { ...outcome, asked };
};

describe("with the name servers of this machine, a caller who may reach public addresses only", () => {
  it("sees names of public zones, and not the addresses of the name servers", async () => {
    for (const one of [
      ["shop.com", "A"],
      ["shop.com", "TXT"],
      ["8.8.8.8", "PTR"],
      ["www.corp.net", "A"],
    ] as Asked[]) {
      const { up, address } = await probeAs(false, one);
      expect([one, up, address]).toEqual([one, true, undefined]);
    }
    expect((await probeAs(false, ["none.shop.com", "TXT"])).error).toEqual(checkError("dns_no_name"));
    expect((await probeAs(false, ["shop.com", "AAAA"])).error).toEqual(checkError("dns_no_record", { type: "AAAA" }));
    expect((await probeAs(true, ["shop.com", "A"])).address).toBe("127.0.0.1");
  });

  it("gets one answer for all names of internal zones and for private addresses, whatever they are expected to be", async () => {
    const guess: Expectation = { op: "equals", values: ["10.0.0.5"] };
    const hidden: Asked[] = [
      ["intra.shop.com", "A"],
      ["intra.shop.com", "A", guess],
      ["corp.net", "TXT"],
      ["corp.net", "TXT", { op: "any", values: ["secret", "other"] }],
      ["corp.net", "SRV"],
      ["corp.net", "NS"],
      ["none.corp.net", "TXT"],
      ["none.corp.net", "A"],
      ["10.0.0.5", "PTR"],
      ["10.0.0.6", "PTR"],
      ["10.in-addr.arpa", "NS"],
      ["fd00::1", "PTR"],
    ];
    for (const one of hidden) {
      const { up, error, responseTime } = await probeAs(false, one);
      expect([one, up, error, responseTime]).toEqual([one, false, checkError("blocked_private"), null]);
    }
    expect((await probeAs(true, ["intra.shop.com", "A", guess])).up).toBe(true);
    expect((await probeAs(true, ["none.corp.net", "TXT"])).error).toEqual(checkError("dns_no_name"));
  });

  it("asks for no name without a dot or in a domain of local networks", async () => {
    for (const name of ["printer", "nas.lan", "x.home.arpa", "db.internal", "localhost"]) {
      const { error, asked } = await probeAs(false, [name, "A"]);
      expect([name, error, asked]).toEqual([name, checkError("blocked_private"), []]);
    }
    expect((await probeAs(true, ["nas.lan", "A"])).up).toBe(true);
  });
});
