import { createBlock, readTimes, writeTimes } from "../../../history/block";
import type { CheckErrorCode, ErrorDetail } from "../../../shared/check-error";
import type { StoredCheck } from "./pack";

/*
 * A block of checks starts with their outcomes: the number of these, then each as [up, status, error code, error detail, slow,
 * packet loss] in JSON, with its length. A check is its time, its response time in 0.1 ms plus one (0 for none), and its
 * outcome if there are several.
 */

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

/** The checks of one monitor and hour. */
export const checkBlock = createBlock<StoredCheck>({
  write: (writer, hour, checks) => {
    const outcomes = new Map([...new Set(checks.map(outcomeOf))].map((outcome, index) => [outcome, index]));
    writer.varint(outcomes.size);
    for (const outcome of outcomes.keys()) {
      const text = encoder.encode(outcome);
      writer.varint(text.length);
      writer.bytes(text);
    }
    const writeTime = writeTimes(writer, hour);
    return (check) => {
      writeTime(check.checkedAt);
      writer.varint(check.responseTime === null ? 0 : Math.round(check.responseTime * 10) + 1);
      if (outcomes.size > 1) writer.varint(outcomes.get(outcomeOf(check)) ?? 0);
    };
  },
  read: (reader, hour) => {
    const outcomes = Array.from(
      { length: reader.varint() },
      () => JSON.parse(decoder.decode(reader.bytes(reader.varint()))) as Outcome,
    );
    const readTime = readTimes(reader, hour);
    return () => {
      const checkedAt = readTime();
      const tenths = reader.varint();
      const [up, statusCode, code, detail, slow, packetLoss] = outcomes[
        outcomes.length > 1 ? reader.varint() : 0
      ] as Outcome;
      const responseTime = tenths === 0 ? null : (tenths - 1) / 10;
      const error = code === null ? null : { code, detail };
      const rare = { ...(slow && { slow }), ...(packetLoss && { packetLoss }) };
      return { checkedAt, up, responseTime, statusCode, error, ...rare };
    };
  },
});
