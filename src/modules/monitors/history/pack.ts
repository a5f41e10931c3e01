import { createPack } from "../../../history/pack";
import { createByteReader, createByteWriter } from "../../../lib/bytes";
import { average } from "../../../lib/round";
import type { CheckError, CheckErrorCode, ErrorDetail } from "../../../shared/check-error";
import { HOUR } from "../../../shared/limits";

/*
 * Storage of checks: checks of the current hours are appended to the pack in their monitor's state; a past hour is one block.
 *
 * An entry of a pack starts with three bytes: two bits of its form, and 22 bits. The short forms hold the milliseconds
 * since the start of the hour of the entry before, and two or three bytes of response time. The long form holds the
 * length of the rest. The first entry of an hour has the long form.
 */

/** A check as it is stored. Response times have a resolution of 0.1 ms. */
export type StoredCheck = {
  /** Epoch milliseconds. */
  checkedAt: number;
  up: boolean;
  /** Milliseconds; null without an answer. */
  responseTime: number | null;
  statusCode: number | null;
  error: CheckError | null;
  /** Whether the answer was beyond the limit of its monitor; absent otherwise. */
  slow?: boolean | undefined;
  /** The percentage of the packets that were lost, with a resolution of 0.1; absent when none was, or none was sent. */
  packetLoss?: number | undefined;
};

const HEAD_BYTES = 3;
const FORM_BITS = 2 ** 22;
/** Forms of up checks with status 200 (a response time of two or three bytes), of up checks without a status, and others. */
const [SHORT, MEDIUM, NO_STATUS, LONG] = [0, 1, 2, 3] as const;
const [UP, TIMED, STATUS, ERROR, SLOW, LOSS] = [1, 2, 4, 8, 16, 32] as const;

const MOST_TENTHS = 2 ** 24 - 1;
const tenthsOf = (milliseconds: number): number => Math.min(MOST_TENTHS, Math.round(milliseconds * 10));

const hourOf = (time: number): number => Math.floor(time / HOUR);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The entry of a check after another one of the same hour; null if it needs the long form. */
export const shortEntry = ({ checkedAt, up, responseTime, statusCode, error, slow, packetLoss }: StoredCheck) => {
  if (!up || error || slow || packetLoss || responseTime === null || (statusCode !== 200 && statusCode !== null))
    return null;
  const tenths = tenthsOf(responseTime);
  const form = statusCode === null ? NO_STATUS : tenths < 65_536 ? SHORT : MEDIUM;
  const writer = createByteWriter();
  writer.uint(form * FORM_BITS + (checkedAt - hourOf(checkedAt) * HOUR), HEAD_BYTES);
  writer.uint(tenths, form === SHORT ? 2 : 3);
  return writer.done();
};

/** The entry of any check, wherever it is appended. */
export const longEntry = (check: StoredCheck): Uint8Array => {
  const { checkedAt, up, responseTime, statusCode, error, slow, packetLoss } = check;
  const writer = createByteWriter();
  writer.uint(checkedAt, 6);
  writer.uint(
    (up ? UP : 0) +
      (responseTime === null ? 0 : TIMED) +
      (statusCode === null ? 0 : STATUS) +
      (error ? ERROR : 0) +
      (slow ? SLOW : 0) +
      (packetLoss ? LOSS : 0),
    1,
  );
  if (responseTime !== null) writer.uint(tenthsOf(responseTime), 3);
  if (statusCode !== null) writer.uint(statusCode, 2);
  if (packetLoss) writer.uint(Math.round(packetLoss * 10), 2);
  if (error) writer.bytes(encoder.encode(JSON.stringify([error.code, error.detail])));
  const rest = writer.done();
  const entry = createByteWriter();
  entry.uint(LONG * FORM_BITS + rest.length, HEAD_BYTES);
  entry.bytes(rest);
  return entry.done();
};

const readError = (bytes: Uint8Array): CheckError => {
  const [code, detail] = JSON.parse(decoder.decode(bytes)) as [CheckErrorCode, ErrorDetail | null];
  return { code, detail };
};

const readLong = (bytes: Uint8Array): StoredCheck => {
  const reader = createByteReader(bytes);
  const checkedAt = reader.uint(6);
  const flags = reader.uint(1);
  const responseTime = flags & TIMED ? reader.uint(3) / 10 : null;
  const statusCode = flags & STATUS ? reader.uint(2) : null;
  const packetLoss = flags & LOSS ? reader.uint(2) / 10 : undefined;
  const error = flags & ERROR ? readError(reader.bytes(bytes.length - reader.place())) : null;
  return {
    ...{ checkedAt, up: (flags & UP) > 0, responseTime, statusCode, error },
    ...(flags & SLOW && { slow: true }),
    ...(packetLoss !== undefined && { packetLoss }),
  };
};

/** The checks of a monitor's running hours. */
export const checkPack = createPack<StoredCheck>({
  // A short entry has the hour of the entry before it.
  isChained: true,
  write: (writer, check, before) => {
    const short = before && hourOf(before.checkedAt) === hourOf(check.checkedAt) ? shortEntry(check) : null;
    writer.bytes(short ?? longEntry(check));
  },
  read: (reader, before) => {
    const head = reader.uint(HEAD_BYTES);
    const form = Math.floor(head / FORM_BITS);
    const rest = head % FORM_BITS;
    if (form === LONG) return readLong(reader.bytes(rest));
    if (!before) throw new RangeError("the first entry of a pack has no hour");
    const responseTime = reader.uint(form === SHORT ? 2 : 3) / 10;
    const statusCode = form === NO_STATUS ? null : 200;
    return { checkedAt: hourOf(before.checkedAt) * HOUR + rest, up: true, responseTime, statusCode, error: null };
  },
});

/** A check in a list: its time, whether it was up, its response time in milliseconds, and whether that was slow. */
type RecentCheck = { at: number; up: boolean; responseTime: number | null; slow: boolean };
/** The latest checks of a monitor: its pack, and the `recent_checks` before it. */
export type RecentPacks = { pack: Uint8Array | null; tail: Uint8Array | null };

/** Reads the entries of a pack without the details of outcomes: lists read thousands of packs at once. */
export const scanPack = (
  bytes: Uint8Array,
  visit: (at: number, up: boolean, responseTime: number | null, slow: boolean) => void,
): void => {
  /** A number of several bytes, the highest first. */
  const uint = (place: number, size: number): number => {
    let value = 0;
    for (let index = place; index < place + size; index++) value = value * 256 + (bytes[index] as number);
    return value;
  };
  let start = 0;
  for (let place = 0; place + HEAD_BYTES <= bytes.length; ) {
    const head = uint(place, HEAD_BYTES);
    const form = head >>> 22;
    const size = form === LONG ? head % FORM_BITS : form === SHORT ? 2 : 3;
    place += HEAD_BYTES;
    if (place + size > bytes.length) return;
    if (form === LONG) {
      const at = uint(place, 6);
      const flags = bytes[place + 6] as number;
      visit(at, (flags & UP) > 0, flags & TIMED ? uint(place + 7, 3) / 10 : null, (flags & SLOW) > 0);
      start = at - (at % HOUR);
    } else visit(start + (head % FORM_BITS), true, uint(place, size) / 10, false);
    place += size;
  }
};

/** The last `count` checks of a monitor, oldest first. */
export const lastChecks = ({ pack, tail }: RecentPacks, count: number): RecentCheck[] => {
  if (count === 0) return [];
  const read = (bytes: Uint8Array | null): RecentCheck[] => {
    const checks: RecentCheck[] = [];
    if (bytes) scanPack(bytes, (at, up, responseTime, slow) => checks.push({ at, up, responseTime, slow }));
    return checks;
  };
  const running = read(pack);
  if (running.length >= count) return running.slice(-count);
  return [...read(tail), ...running].slice(-count);
};

/** Checks whose lost packets are averaged: a single one has too few packets. */
const LOSS_CHECKS = 40;

/** The percentage of lost packets in the last 40 checks with packets, or null. */
export const recentPacketLoss = ({ pack, tail }: RecentPacks): number | null => {
  const losses = [tail, pack]
    .flatMap((bytes) => checkPack.decode(bytes).rows)
    .slice(-LOSS_CHECKS)
    .flatMap(({ up, packetLoss = up ? 0 : null }) => packetLoss ?? []);
  const total = losses.reduce((sum, loss) => sum + loss, 0);
  return average(total, losses.length);
};

/** How many of the last checks of a monitor failed in a row, as far as its packs reach. */
export const failuresInRow = (packs: RecentPacks): number => {
  const checks = lastChecks(packs, Number.POSITIVE_INFINITY);
  return checks.length - 1 - checks.findLastIndex(({ up }) => up);
};

/** Why the last check of a monitor failed; null if it did not. */
export const lastFailure = ({ pack, tail }: RecentPacks): CheckError | null => {
  const { rows, corrupt } = checkPack.decode(pack && pack.length > 0 ? pack : tail);
  const last = rows.at(-1);
  return corrupt || !last || last.up ? null : last.error;
};
