import { type ByteReader, type ByteWriter, createByteReader, createByteWriter } from "../lib/bytes";

/** Rows that were read from stored bytes. `corrupt` if some of them could not be read. */
export type Decoded<Row> = { rows: Row[]; corrupt: boolean };

/** How an entry of a pack is written and read. `before` is the row of the entry before it. */
type PackFormat<Row> = {
  /** Whether an entry can only be read after the previous one. */
  isChained?: boolean;
  write: (writer: ByteWriter, row: Row, before: Row | undefined) => void;
  /** @throws {RangeError|SyntaxError} for damaged bytes */
  read: (reader: ByteReader, before: Row | undefined) => Row;
};

/** The rows of the current hours, in bytes that grow by appended entries. */
export type Pack<Row> = {
  isChained: boolean;
  /** Encodes rows as if they were appended one after the other. */
  encode: (rows: readonly Row[]) => Uint8Array;
  /** Reads the readable rows in the order they were appended. */
  decode: (bytes: Uint8Array | null) => Decoded<Row>;
};

/** Whether reading damaged bytes throws this error. */
const isDamage = (error: unknown): boolean => error instanceof RangeError || error instanceof SyntaxError;

/** Reads the readable entries of a pack in the order they were appended. */
export const readEntries = <Entry>(
  bytes: Uint8Array | null,
  read: (reader: ByteReader, before: Entry | undefined) => Entry,
): Decoded<Entry> => {
  const rows: Entry[] = [];
  if (!bytes) return { rows, corrupt: false };
  const reader = createByteReader(bytes);
  try {
    while (!reader.atEnd()) rows.push(read(reader, rows.at(-1)));
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { rows, corrupt: true };
  }
  return { rows, corrupt: false };
};

export const createPack = <Row>({ isChained = false, write, read }: PackFormat<Row>): Pack<Row> => ({
  isChained,
  encode: (rows) => {
    const writer = createByteWriter();
    let before: Row | undefined;
    for (const row of rows) {
      write(writer, row, before);
      before = row;
    }
    return writer.done();
  },
  decode: (bytes) => readEntries(bytes, read),
});
