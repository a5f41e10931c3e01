import { createByteWriter, openBytes, sealBytes } from "../../../lib/bytes";
import type { CheckErrorCode, ErrorDetail } from "../../../shared/check-error";
import { HOUR } from "../../../shared/limits";
import type { Decoded, StoredCheck } from "./pack";

/*
 * A block holds the checks of one monitor and hour, ordered by time:
 *
 *   version   1 byte
 *   checksum  4 bytes, CRC-32 of the rest
 *   outcomes  their number, then each as [up, status, error code, error detail, slow, packet loss] in JSON, with its length
 *   checks    their number, then of each the change of its distance to the check before (the first: to the start of
 *             the hour), its response time in 0.1 ms plus one (0 for none), and its outcome if there are several
 */

const VERSION = 1;

type Outcome = [
  up: boolean,
  statusCode: number | null,
  code: CheckErrorCode | null,
  detail: ErrorDetail | null,
  slow?: boolean,
  packetLoss?: number,
];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const outcomeOf = ({ up, statusCode, error, slow = false, packetLoss }: StoredCheck): string => {
  const outcome: Outcome = [up, statusCode, error?.code ?? null, error?.detail ?? null];
  return JSON.stringify(packetLoss ? [...outcome, slow, packetLoss] : slow ? [...outcome, slow] : outcome);
};

/** Encodes the checks of one hour, which are ordered by time. */
export const encodeBlock = (hour: number, checks: readonly StoredCheck[]): Uint8Array => {
  const outcomes = new Map<string, number>();
  for (const check of checks) {
    const outcome = outcomeOf(check);
    if (!outcomes.has(outcome)) outcomes.set(outcome, outcomes.size);
  }
  const writer = createByteWriter();
  writer.varint(outcomes.size);
  for (const outcome of outcomes.keys()) {
    const text = encoder.encode(outcome);
    writer.varint(text.length);
    writer.bytes(text);
  }
  writer.varint(checks.length);
  let previous = hour * HOUR;
  let distance = 0;
  for (const check of checks) {
    writer.signed(check.checkedAt - previous - distance);
    writer.varint(check.responseTime === null ? 0 : Math.round(check.responseTime * 10) + 1);
    if (outcomes.size > 1) writer.varint(outcomes.get(outcomeOf(check)) ?? 0);
    distance = check.checkedAt - previous;
    previous = check.checkedAt;
  }
  return sealBytes(VERSION, writer.done());
};

const readChecks = (hour: number, reader: NonNullable<ReturnType<typeof openBytes>>): StoredCheck[] => {
  const outcomes = Array.from(
    { length: reader.varint() },
    () => JSON.parse(decoder.decode(reader.bytes(reader.varint()))) as Outcome,
  );
  let previous = hour * HOUR;
  let distance = 0;
  return Array.from({ length: reader.varint() }, () => {
    distance += reader.signed();
    previous += distance;
    const tenths = reader.varint();
    const [up, statusCode, code, detail, slow, packetLoss] = outcomes[
      outcomes.length > 1 ? reader.varint() : 0
    ] as Outcome;
    const responseTime = tenths === 0 ? null : (tenths - 1) / 10;
    const error = code === null ? null : { code, detail };
    const rare = { ...(slow && { slow }), ...(packetLoss && { packetLoss }) };
    return { checkedAt: previous, up, responseTime, statusCode, error, ...rare };
  });
};

/** Reads the checks of a block, ordered by time. A block that was damaged has none. */
export const decodeBlock = (hour: number, bytes: Uint8Array | null): Decoded => {
  if (!bytes) return { checks: [], corrupt: false };
  const reader = openBytes(VERSION, bytes);
  return reader ? { checks: readChecks(hour, reader), corrupt: false } : { checks: [], corrupt: true };
};
