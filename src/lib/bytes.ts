/** Appends numbers and bytes to a growing buffer. */
export const createByteWriter = () => {
  let bytes = new Uint8Array(64);
  let length = 0;

  const reserve = (count: number): void => {
    if (length + count <= bytes.length) return;
    const larger = new Uint8Array(Math.max(bytes.length * 2, length + count));
    larger.set(bytes.subarray(0, length));
    bytes = larger;
  };

  const writer = {
    /** An unsigned integer in `size` bytes, the most significant first. */
    uint: (value: number, size: number): void => {
      reserve(size);
      for (let place = size - 1, rest = value; place >= 0; place--, rest = Math.floor(rest / 256)) {
        bytes[length + place] = rest % 256;
      }
      length += size;
    },
    /** An unsigned integer of variable length: seven bits in each byte, the least significant first. */
    varint: (value: number): void => {
      reserve(8);
      let rest = value;
      for (; rest > 127; rest = Math.floor(rest / 128)) bytes[length++] = (rest % 128) + 128;
      bytes[length++] = rest;
    },
    /** A signed integer of variable length; small absolute values are short. */
    signed: (value: number): void => writer.varint(value < 0 ? -2 * value - 1 : 2 * value),
    bytes: (value: Uint8Array): void => {
      reserve(value.length);
      bytes.set(value, length);
      length += value.length;
    },
    done: (): Uint8Array => bytes.slice(0, length),
  };
  return writer;
};
export type ByteWriter = ReturnType<typeof createByteWriter>;

/** Reads what createByteWriter wrote. Every call throws a RangeError at the end of the bytes. */
export const createByteReader = (bytes: Uint8Array, start = 0) => {
  let place = start;

  const next = (): number => {
    const byte = bytes[place++];
    if (byte === undefined) throw new RangeError("the bytes are truncated");
    return byte;
  };

  const reader = {
    uint: (size: number): number => {
      let value = 0;
      for (let index = 0; index < size; index++) value = value * 256 + next();
      return value;
    },
    varint: (): number => {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        if (scale > Number.MAX_SAFE_INTEGER) throw new RangeError("a number is too long");
        const byte = next();
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    },
    signed: (): number => {
      const value = reader.varint();
      return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    },
    bytes: (count: number): Uint8Array => {
      if (place + count > bytes.length) throw new RangeError("the bytes are truncated");
      place += count;
      return bytes.subarray(place - count, place);
    },
    skip: (count: number): void => {
      if (place + count > bytes.length) throw new RangeError("the bytes are truncated");
      place += count;
    },
    atEnd: (): boolean => place >= bytes.length,
    place: (): number => place,
  };
  return reader;
};
export type ByteReader = ReturnType<typeof createByteReader>;

const SEAL_BYTES = 5;

/** Bytes behind their format's version and their checksum (CRC-32), so that damage is noticed. */
export const sealBytes = (version: number, rest: Uint8Array): Uint8Array => {
  const writer = createByteWriter();
  writer.uint(version, 1);
  writer.uint(Bun.hash.crc32(rest), 4);
  writer.bytes(rest);
  return writer.done();
};

/** A reader of what sealBytes was given. Null for bytes of another version, and for damaged ones. */
export const openBytes = (version: number, bytes: Uint8Array): ByteReader | null => {
  if (bytes.length < SEAL_BYTES || bytes[0] !== version) return null;
  const rest = bytes.subarray(SEAL_BYTES);
  return createByteReader(bytes, 1).uint(4) === Bun.hash.crc32(rest) ? createByteReader(rest) : null;
};
