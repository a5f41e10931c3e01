import { DAY } from "../../shared/limits";
import { unpackRecent } from "../../shared/recent";

/*
 * A list of a thousand monitors holds 24,000 past outcomes. As objects they cost more than all the rest of the answer
 * together, to make and to write; so their JSON is written here, byte by byte, into one buffer.
 */

const ITEM_ROOM = 120;
const room = Buffer.alloc(64 * ITEM_ROOM);
let end = 0;

// A loop, because a call into the runtime for so few bytes costs more than the copy.
const put = (bytes: Uint8Array) => {
  for (let index = 0; index < bytes.length; index++) room[end++] = bytes[index] as number;
};

const putDigits = (number: number, digits: number) => {
  let rest = number;
  for (let place = end + digits - 1; place >= end; place--) {
    const tenth = (rest / 10) | 0;
    room[place] = 48 + rest - tenth * 10;
    rest = tenth;
  }
  end += digits;
};

const encode = (text: string): Uint8Array => Buffer.from(text, "latin1");

const [OPEN, CLOSE, COMMA, ID, END] = ["[", "]", ",", '{"id":', '"}'].map(encode) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const MILLION = 1_000_000;
const THIRTEEN_DIGITS = MILLION * MILLION;

/** Where `12:34:56.789Z"}` begins, from the end of an item. */
const CLOCK_FROM_END = 15;

/** Of the time of day nine digits change; what stands between them is there already. */
const putClock = (place: number, rest: number) => {
  const seconds = (rest / 1000) | 0;
  const minutes = (seconds / 60) | 0;
  end = place;
  putDigits((minutes / 60) | 0, 2);
  end++;
  putDigits(minutes % 60, 2);
  end++;
  putDigits(seconds % 60, 2);
  end++;
  putDigits(rest - seconds * 1000, 3);
};

/** Epoch milliseconds: seven digits and six, since a number of all of them would not fit into 32 bits. */
const putId = (at: number) => {
  if (at < THIRTEEN_DIGITS || at >= 10 * THIRTEEN_DIGITS) return put(encode(String(at)));
  const millions = Math.floor(at / MILLION);
  putDigits(millions, 7);
  putDigits(at - millions * MILLION, 6);
};

/** The last outcomes of a monitor, oldest first, as the JSON that its `history` would become. */
export const historyJson = (monitorId: number, recent: string, count: number): string => {
  const between = {
    up: encode(`,"monitor_id":${monitorId},"status":"up","timestamp":"`),
    down: encode(`,"monitor_id":${monitorId},"status":"down","timestamp":"`),
  };
  end = 0;
  put(OPEN);
  // The item before, which the next one is a copy of but for its digits: nearly always of the same day and status.
  let begin = 0;
  let day = Number.NaN;
  let up = false;
  for (const outcome of unpackRecent(recent, count)) {
    const { at } = outcome;
    const today = Math.floor(at / DAY);
    if (end > 1) put(COMMA);
    const next = end;
    if (today === day && outcome.up === up && at >= THIRTEEN_DIGITS) {
      room.copyWithin(next, begin, next - 1);
      const length = next - 1 - begin;
      end = next + ID.length;
      putId(at);
      putClock(next + length - CLOCK_FROM_END, at - today * DAY);
      end = next + length;
    } else {
      put(ID);
      putId(at);
      put(outcome.up ? between.up : between.down);
      put(encode(new Date(at).toISOString()));
      put(END);
    }
    begin = next;
    day = today;
    up = outcome.up;
  }
  put(CLOSE);
  return room.toString("latin1", 0, end);
};
