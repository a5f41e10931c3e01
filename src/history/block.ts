import { type ByteReader, type ByteWriter, createByteWriter, openBytes, sealBytes } from "../lib/bytes";
import { HOUR } from "../shared/limits";
import type { Decoded } from "./pack";

/*
 * A block holds the rows of one target and hour, ordered by time:
 *
 *   version   1 byte
 *   checksum  4 bytes, CRC-32 of the rest
 *   head      what all rows share
 *   rows      their number, then each of them
 *   further   in the second version: what only some of the rows have
 */

/** How the rows of one hour are written and read. */
type BlockFormat<Row> = {
  /** Writes the head, and returns a function that writes one row. */
  write: (writer: ByteWriter, hour: number, rows: readonly Row[]) => (row: Row) => void;
  /** Reads the head, and returns a function that reads the next row. */
  read: (reader: ByteReader, hour: number) => () => Row;
  further?: {
    isIn: (row: Row) => boolean;
    write: (writer: ByteWriter, rows: readonly Row[]) => void;
    /** Returns the rows with what is read. */
    read: (reader: ByteReader, rows: Row[]) => Row[];
  };
};

/** The rows of one target and hour as bytes with a checksum. */
export type Block<Row> = {
  /** Encodes the rows of an hour, which are ordered by time. */
  encode: (hour: number, rows: readonly Row[]) => Uint8Array;
  /** Reads rows, ordered by time; none if the block is damaged. */
  decode: (hour: number, bytes: Uint8Array | null) => Decoded<Row>;
};

const VERSION = 1;
const FURTHER_VERSION = 2;

export const createBlock = <Row>({ write, read, further }: BlockFormat<Row>): Block<Row> => ({
  encode: (hour, rows) => {
    const writer = createByteWriter();
    const writeRow = write(writer, hour, rows);
    writer.varint(rows.length);
    for (const row of rows) writeRow(row);
    if (!further || !rows.some(further.isIn)) return sealBytes(VERSION, writer.done());
    further.write(writer, rows);
    return sealBytes(FURTHER_VERSION, writer.done());
  },
  decode: (hour, bytes) => {
    if (!bytes) return { rows: [], corrupt: false };
    const hasFurther = further !== undefined && bytes[0] === FURTHER_VERSION;
    const reader = openBytes(hasFurther ? FURTHER_VERSION : VERSION, bytes);
    if (!reader) return { rows: [], corrupt: true };
    const readRow = read(reader, hour);
    const rows = Array.from({ length: reader.varint() }, () => readRow());
    return { rows: hasFurther ? further.read(reader, rows) : rows, corrupt: false };
  },
});

/**
 * Writes times in order, each as the change of its distance to the previous time. The first distance is from the start of the
 * hour.
 */
export const writeTimes = (writer: ByteWriter, hour: number): ((at: number) => void) => {
  let [previous, distance] = [hour * HOUR, 0];
  return (at) => {
    writer.signed(at - previous - distance);
    distance = at - previous;
    previous = at;
  };
};

/** Reads what writeTimes wrote. */
export const readTimes = (reader: ByteReader, hour: number): (() => number) => {
  let [at, distance] = [hour * HOUR, 0];
  return () => {
    distance += reader.signed();
    at += distance;
    return at;
  };
};
