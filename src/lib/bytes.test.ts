import { expect, it } from "bun:test";
import { fc } from "../testing/property";
import { createByteReader, createByteWriter } from "./bytes";

it("numbers and bytes are read back as they were written", () => {
  const item = fc.oneof(
    fc.record({ kind: fc.constant("varint" as const), value: fc.maxSafeNat() }),
    fc.record({ kind: fc.constant("signed" as const), value: fc.integer() }),
    fc.record({ kind: fc.constant("uint" as const), value: fc.nat({ max: 2 ** 31 - 1 }) }),
    fc.record({ kind: fc.constant("bytes" as const), value: fc.uint8Array({ maxLength: 300 }) }),
  );
  fc.assert(
    fc.property(fc.array(item), (items) => {
      const writer = createByteWriter();
      for (const { kind, value } of items) {
        if (kind === "uint") writer.uint(value, 6);
        else if (kind === "bytes") writer.bytes(value);
        else writer[kind](value);
      }
      const bytes = writer.done();
      const skipping = createByteReader(bytes);
      skipping.skip(bytes.length);
      expect(skipping.atEnd()).toBe(true);
      expect(() => skipping.skip(1)).toThrow(RangeError);
      const reader = createByteReader(bytes);
      for (const { kind, value } of items) {
        if (kind === "uint") expect(reader.uint(6)).toBe(value);
        else if (kind === "bytes") expect([...reader.bytes(value.length)]).toEqual([...value]);
        else expect(reader[kind]()).toBe(value);
      }
      expect(reader.atEnd()).toBe(true);
    }),
  );
});

it("reading past the end throws a RangeError", () => {
  const reader = () => createByteReader(new Uint8Array([200]));
  for (const read of [() => reader().varint(), () => reader().uint(2), () => reader().bytes(2)]) {
    expect(read).toThrow(RangeError);
  }
});
