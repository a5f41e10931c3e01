import { describe, expect, it } from "bun:test";
import type { RecordType } from "../../shared/monitor-kinds/dns-record";
import { createRandom, seedOr } from "../../testing/random";
import { QUESTION, replyTo, wireName, wireRecord } from "../../testing/servers/name-server";
import { isAnswerTo, readAnswer, recordsOf, writeQuery } from "./message";

const SEED = seedOr(5);

const query = { id: 7, name: "shop.example", type: "A" as RecordType };
const asked = writeQuery(query, true);
const text = (...strings: string[]) =>
  Buffer.concat(strings.flatMap((string) => [Buffer.from([Buffer.byteLength(string)]), Buffer.from(string)]));

/** Data of each type, with its number and the texts that stand for it. */
const DATA: Record<RecordType, [type: number, data: Buffer, texts: string[]]> = {
  A: [1, Buffer.from([192, 0, 2, 1]), ["192.0.2.1"]],
  AAAA: [28, Buffer.from("20010db8000000000000000000000001", "hex"), ["2001:db8::1"]],
  CNAME: [5, wireName("WWW.Example"), ["www.example"]],
  NS: [2, wireName("ns1.example"), ["ns1.example"]],
  PTR: [12, wireName("host.example"), ["host.example"]],
  MX: [15, Buffer.concat([Buffer.from([0, 10]), wireName("mail.example")]), ["10 mail.example", "mail.example"]],
  SRV: [
    33,
    Buffer.concat([Buffer.from([0, 1, 0, 2, 1, 187]), wireName("a.example")]),
    ["1 2 443 a.example", "a.example:443", "a.example"],
  ],
  TXT: [16, text("v=spf1 ", "-all"), ["v=spf1 -all"]],
  SOA: [
    6,
    Buffer.concat([
      wireName("ns1.example"),
      wireName("admin.example"),
      Buffer.from("0000000100000002000000030000000400000005", "hex"),
    ]),
    ["ns1.example admin.example 1 2 3 4 5", "ns1.example"],
  ],
  CAA: [
    257,
    Buffer.concat([Buffer.from([0, 5]), Buffer.from("issueca.example")]),
    ["0 issue ca.example", "ca.example"],
  ],
};

const answerOf = (type: RecordType) => {
  const [number, data] = DATA[type];
  const own = writeQuery({ ...query, type }, false);
  return replyTo(own, { answers: [wireRecord(QUESTION, number, data)] });
};

describe("an answer", () => {
  it("has the records of each type as texts", () => {
    for (const type of Object.keys(DATA) as RecordType[]) {
      const answer = readAnswer(answerOf(type));
      expect([type, answer && recordsOf(answer, { ...query, type })]).toEqual([type, [DATA[type][2]]]);
    }
  });

  it("belongs to a query with its id, name and type only", () => {
    const isOurs = (reply: Buffer) => isAnswerTo(reply, query);
    const good = replyTo(asked, {});
    expect(isOurs(good)).toBe(true);
    expect(isOurs(replyTo(asked, { id: 8 }))).toBe(false);
    expect(isOurs(asked)).toBe(false);
    for (const other of [
      { ...query, name: "shop.example2" },
      { ...query, type: "AAAA" as const },
    ])
      expect(isOurs(replyTo(writeQuery(other, false), {}))).toBe(false);
    // An error may come without the question.
    const bare = (code: number) => Buffer.from([0, 7, 0x81, 0x80 | code, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect([isOurs(bare(1)), isOurs(bare(0)), isOurs(good.subarray(0, 11)), isOurs(Buffer.alloc(0))]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("follows aliases, also when they form a loop", () => {
    const alias = (from: string, to: string) => wireRecord(from, 5, wireName(to));
    const address = (owner: string) => wireRecord(owner, 1, Buffer.from([192, 0, 2, 1]));
    const find = (...answers: Buffer[]) => {
      const answer = readAnswer(replyTo(asked, { answers }));
      return answer && recordsOf(answer, query);
    };
    const chain = [alias("shop.example", "a.example"), alias("A.example", "b.example")];
    expect(find(...chain, address("b.example"))).toEqual([["192.0.2.1"]]);
    expect(find(...chain, address("c.example"))).toEqual([]);
    expect(find(alias("shop.example", "a.example"), alias("a.example", "shop.example"))).toEqual([]);
  });

  it("is malformed when a name refers to itself or forward, or data has the wrong length", () => {
    const data = (type: number, bytes: Buffer) => replyTo(asked, { answers: [wireRecord(QUESTION, type, bytes)] });
    const end = data(5, Buffer.alloc(0)).length;
    for (const [type, bytes] of [
      [1, Buffer.from([192, 0, 2])],
      [28, Buffer.alloc(15)],
      [5, Buffer.from([0xc0, end])],
      [5, Buffer.from([0xc0, end + 2])],
      [5, Buffer.from([0xff, 0xff])],
      [5, Buffer.from([64, 1])],
      [5, Buffer.from([5, 97])],
      [5, wireName(Array(40).fill("abcdef").join("."))],
      [15, Buffer.from([0])],
      [16, Buffer.from([9, 97])],
      [257, Buffer.from([0, 9, 97])],
      [6, wireName("a")],
    ] as const)
      expect([type, bytes.length, readAnswer(data(type, bytes))]).toEqual([type, bytes.length, null]);
  });

  it(`of random or damaged bytes is read to its end without an error (seed ${SEED})`, () => {
    const random = createRandom(SEED);
    const samples = (Object.keys(DATA) as RecordType[]).map(answerOf);
    for (let round = 0; round < 30_000; round++) {
      const whole = Buffer.from(random.pick(samples));
      const bytes = random.oneIn(10)
        ? Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256)))
        : whole.subarray(0, random.oneIn(3) ? random.below(whole.length) : whole.length);
      for (let change = random.below(6); change > 0 && bytes.length > 0; change--)
        bytes[random.below(bytes.length)] = random.pick([0, 1, 12, 63, 64, 192, 255, random.below(256)]);
      isAnswerTo(bytes, query);
      const answer = readAnswer(bytes);
      if (answer) for (const type of Object.keys(DATA) as RecordType[]) recordsOf(answer, { ...query, type });
    }
  });

  it("is read with at most 1,000 records in a section", () => {
    const records = (count: number) =>
      Array.from({ length: count }, () => wireRecord(Buffer.from([0xc0, 12]), 1, Buffer.from([192, 0, 2, 1])));
    expect(readAnswer(replyTo(asked, { answers: records(1000) }))?.answers).toHaveLength(1000);
    expect(readAnswer(replyTo(asked, { answers: records(1001) }))).toBeNull();
  });

  it("of many names that refer back step by step is refused soon", () => {
    // Each name in this chain refers to the previous one: read without a limit, it would take millions of steps.
    const links = Array.from({ length: 8000 }, (_, index) => {
      const target = index === 0 ? 12 : 12 + 18 + 2 * (index - 1);
      return Buffer.from([0xc0 | (target >> 8), target & 255]);
    });
    const record = (at: number) =>
      wireRecord(Buffer.from([0xc0 | (at >> 8), at & 255]), 1, Buffer.from([192, 0, 2, 1]));
    const opaque = wireRecord(QUESTION, 10, Buffer.concat(links));
    const answers = [opaque, ...Array.from({ length: 1000 }, () => record(16_000))];
    expect(readAnswer(replyTo(asked, { answers }))).toBeNull();
  });
});
