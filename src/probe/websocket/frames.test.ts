import { expect, it } from "bun:test";
import { closeFrame, createMessageReader, textFrame } from "./frames";

const bytes = (...parts: (number | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "number" ? Buffer.of(part) : Buffer.from(part))));
const read = (...parts: (number | string)[]) => {
  const { messages, isClosed, isValid } = createMessageReader()(bytes(...parts));
  return [messages.map(String), isClosed ? "closed" : isValid ? "open" : "invalid"];
};

/** The content of a frame as a server reads it. */
const unmasked = (frame: Buffer) => {
  const start = (frame[1] as number) === 0xfe ? 4 : 2;
  const mask = frame.subarray(start, start + 4);
  return frame.subarray(start + 4).map((byte, at) => byte ^ (mask[at % 4] as number));
};

it("frames of a client are whole and masked", () => {
  for (const text of ["", "hello", "é", "x".repeat(125), "x".repeat(126), "x".repeat(1024)]) {
    const frame = textFrame(text);
    expect(frame[0]).toBe(0x81);
    expect((frame[1] as number) & 0x80).toBe(0x80);
    expect(String(Buffer.from(unmasked(frame)))).toBe(text);
  }
  expect([...unmasked(closeFrame())]).toEqual([3, 232]);
});

it("messages are read from whole frames, fragments and between control frames, however they are split", () => {
  const long = "x".repeat(300);
  const frames = bytes(0x81, 5, "hello", 0x82, 126, 1, 44, long, 0x89, 4, "ping", 0x01, 2, "ab", 0x8a, 0, 0x80, 1, "c");
  const messages: string[] = [];
  const readOn = createMessageReader();
  for (let length = 0; length <= frames.length; length++) {
    const found = readOn(frames.subarray(0, length));
    expect(found).toMatchObject({ isClosed: false, isValid: true });
    messages.push(...found.messages.map(String));
  }
  expect(messages).toEqual(["hello", long, "abc"]);
  expect(read(0x81, 127, 0, 0, 0, 0, 0, 0, 0, 2, "ok")).toEqual([["ok"], "open"]);
  expect(read(0x81, 2, "ok", 0x88, 2, 3, 232, 0x81, 2, "no")).toEqual([["ok"], "closed"]);
});

it("malformed frames end what is read", () => {
  const malformed: [string, (number | string)[]][] = [
    ["masked", [0x81, 0x81, 0, 0, 0, 0, "x"]],
    ["compressed", [0xc1, 1, "x"]],
    ["of an unknown type", [0x83, 1, "x"]],
    ["of an unknown control type", [0x8b, 1, "x"]],
    ["control in fragments", [0x09, 1, "x"]],
    ["a long control frame", [0x89, 126, 0, 200, "x".repeat(200)]],
    ["a fragment of no message", [0x80, 1, "x"]],
    ["a message within another", [0x01, 1, "x", 0x81, 1, "y"]],
    ["text", ["no frame at all"]],
  ];
  for (const [name, parts] of malformed)
    expect([name, read(0x81, 1, "a", ...parts)]).toEqual([name, [["a"], "invalid"]]);
});

it("a message in many fragments is read as fast as it arrives", () => {
  const frames = bytes(0x01, 0, "\0\0".repeat(30_000), 0x80, 2, "ok");
  const readOn = createMessageReader();
  const found = Array.from({ length: frames.length + 1 }, (_, length) => readOn(frames.subarray(0, length)).messages);
  expect(found.flat().map(String)).toEqual(["ok"]);
});
