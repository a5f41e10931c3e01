import { DAY } from "../../../shared/limits";
import { RECENT_LENGTH, unpackRecent } from "../../../shared/recent";

/*
 * A list of a thousand monitors holds 24,000 past outcomes. As objects they cost more than all the rest of the answer
 * together, to make and to write; so their JSON is written here, byte by byte, into one buffer.
 */

const ITEM_ROOM = 120;
const room = new Uint8Array((RECENT_LENGTH + 1) * ITEM_ROOM);
const text = Buffer.from(room.buffer);

const [COMMA, OPEN, CLOSE] = [44, 91, 93] as const;
/** `{"id":` */
const BEFORE_ID = 6;
/** `12:34:56.789Z"}`, from the end of an item. */
const CLOCK_FROM_END = 15;
const MILLION = 1_000_000;
const THIRTEEN_DIGITS = MILLION * MILLION;

/** 00 to 99: two digits are looked up at a time. */
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

/** Thirteen digits of epoch milliseconds: one and twice six, since a number of all would not fit into 32 bits. */
const putId = (place: number, at: number): void => {
  const millions = Math.floor(at / MILLION);
  const first = (millions / MILLION) | 0;
  room[place] = 48 + first;
  putSix(place + 1, millions - first * MILLION);
  putSix(place + 7, at - millions * MILLION);
};

/** Of the time of day nine digits change; what stands between them is there already. */
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

/** The last outcomes of a monitor, oldest first, as the JSON that its `history` would become. */
export const historyJson = (monitorId: number, recent: string, count: number): string => {
  room[0] = OPEN;
  let end = 1;
  // The item before, which the next one is a copy of but for its digits: nearly always of the same day and status.
  let begin = 0;
  let day = Number.NaN;
  let up = false;
  for (const outcome of unpackRecent(recent, count)) {
    const { at } = outcome;
    const today = Math.floor(at / DAY);
    if (end > 1) room[end++] = COMMA;
    const next = end;
    if (today === day && outcome.up === up && at >= THIRTEEN_DIGITS) {
      const length = next - 1 - begin;
      room.copyWithin(next, begin, next - 1);
      putId(next + BEFORE_ID, at);
      putClock(next + length - CLOCK_FROM_END, at - today * DAY);
      end = next + length;
    } else {
      const timestamp = new Date(at).toISOString();
      const status = outcome.up ? "up" : "down";
      end += text.write(JSON.stringify({ id: at, monitor_id: monitorId, status, timestamp }), next, "latin1");
    }
    begin = next;
    day = today;
    up = outcome.up;
  }
  room[end++] = CLOSE;
  return text.toString("latin1", 0, end);
};
