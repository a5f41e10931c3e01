import { DAY } from "../../../shared/limits";
import { MAX_RECENT, type PastOutcome } from "../../../shared/monitor";
import { lastChecks, type RecentCheck, type RecentPacks } from "./pack";

/*
 * A list of 1,000 monitors has 24,000 past outcomes. Serializing them as objects would cost more than the rest of the
 * response, so their JSON is written byte by byte into one buffer.
 */

const ITEM_ROOM = 120;
const room = new Uint8Array((MAX_RECENT + 1) * ITEM_ROOM);
const text = Buffer.from(room.buffer);

const [COMMA, OPEN, CLOSE] = [44, 91, 93] as const;
/** `{"id":` */
const BEFORE_ID = 6;
/** `12:34:56.789Z"}`, from the end of an item. */
const CLOCK_FROM_END = 15;
const MILLION = 1_000_000;
const THIRTEEN_DIGITS = MILLION * MILLION;

/** The digits 00 to 99, because two digits are written at a time. */
const PAIRS = Uint8Array.from(Array.from({ length: 100 }, (_, n) => String(n).padStart(2, "0")).join(""), (digit) =>
  digit.charCodeAt(0),
);

const putPair = (place: number, number: number): void => {
  room[place] = PAIRS[2 * number] as number;
  room[place + 1] = PAIRS[2 * number + 1] as number;
};

const putSix = (place: number, number: number): void => {
  const thousands = (number / 10_000) | 0;
  const rest = number - thousands * 10_000;
  const hundreds = (rest / 100) | 0;
  putPair(place, thousands);
  putPair(place + 2, hundreds);
  putPair(place + 4, rest - hundreds * 100);
};

/** Writes the 13 digits of epoch milliseconds as 1, 6 and 6, each of which fits into 32 bits. */
const putId = (place: number, at: number): void => {
  const millions = Math.floor(at / MILLION);
  const first = (millions / MILLION) | 0;
  room[place] = 48 + first;
  putSix(place + 1, millions - first * MILLION);
  putSix(place + 7, at - millions * MILLION);
};

/** Writes the digits of the time of day; the separators between them are in the buffer already. */
const putClock = (place: number, rest: number): void => {
  const seconds = (rest / 1000) | 0;
  const minutes = (seconds / 60) | 0;
  const hours = (minutes / 60) | 0;
  const thousandths = rest - seconds * 1000;
  const tenth = (thousandths / 100) | 0;
  putPair(place, hours);
  putPair(place + 3, minutes - hours * 60);
  putPair(place + 6, seconds - minutes * 60);
  room[place + 9] = 48 + tenth;
  putPair(place + 10, thousandths - tenth * 100);
};

/** The outcome of a check in a compact list. */
export const outcomeOf = ({ up, slow }: Pick<RecentCheck, "up" | "slow">): PastOutcome => (up ? (slow ? 2 : 1) : 0);

/** The last `count` outcomes of a monitor, oldest first, each as `[time, outcome, milliseconds or null]`. */
export const compactHistoryJson = (packs: RecentPacks, count: number): string =>
  `[${lastChecks(packs, count)
    .map((check) => `[${check.at},${outcomeOf(check)},${check.responseTime}]`)
    .join(",")}]`;

/** The last `count` outcomes of a monitor, oldest first, as the JSON text of its `history`. */
export const historyJson = (monitorId: number, packs: RecentPacks, count: number): string => {
  room[0] = OPEN;
  let end = 1;
  // Each item is copied from the previous one and its digits are replaced, if both have the same day and outcome.
  let begin = 0;
  let day = Number.NaN;
  let before: PastOutcome | undefined;
  for (const check of lastChecks(packs, count)) {
    const { at, up, slow } = check;
    const outcome = outcomeOf(check);
    const today = Math.floor(at / DAY);
    if (end > 1) room[end++] = COMMA;
    const next = end;
    if (today === day && outcome === before && at >= THIRTEEN_DIGITS) {
      const length = next - 1 - begin;
      room.copyWithin(next, begin, next - 1);
      putId(next + BEFORE_ID, at);
      putClock(next + length - CLOCK_FROM_END, at - today * DAY);
      end = next + length;
    } else {
      const timestamp = new Date(at).toISOString();
      const status = up ? "up" : "down";
      const item = { id: at, monitor_id: monitorId, status, ...(slow && { slow }), timestamp };
      end += text.write(JSON.stringify(item), next, "latin1");
    }
    begin = next;
    day = today;
    before = outcome;
  }
  room[end++] = CLOSE;
  return text.toString("latin1", 0, end);
};
