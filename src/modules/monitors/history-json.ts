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
const [COLON, DOT, Z] = [":", ".", "Z"].map((sign) => sign.charCodeAt(0)) as [number, number, number];
const MILLION = 1_000_000;
const THIRTEEN_DIGITS = MILLION * MILLION;

let day = Number.NaN;
let date = encode("");

const putTime = (time: number) => {
  const today = Math.floor(time / DAY);
  if (today !== day) {
    date = encode(new Date(time).toISOString().slice(0, 11));
    day = today;
  }
  put(date);
  const rest = time - today * DAY;
  const seconds = (rest / 1000) | 0;
  putDigits((seconds / 3600) | 0, 2);
  room[end++] = COLON;
  putDigits(((seconds / 60) | 0) % 60, 2);
  room[end++] = COLON;
  putDigits(seconds % 60, 2);
  room[end++] = DOT;
  putDigits(rest - seconds * 1000, 3);
  room[end++] = Z;
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
  const up = encode(`,"monitor_id":${monitorId},"status":"up","timestamp":"`);
  const down = encode(`,"monitor_id":${monitorId},"status":"down","timestamp":"`);
  end = 0;
  put(OPEN);
  for (const outcome of unpackRecent(recent, count)) {
    if (end > 1) put(COMMA);
    put(ID);
    putId(outcome.at);
    put(outcome.up ? up : down);
    putTime(outcome.at);
    put(END);
  }
  put(CLOSE);
  return room.toString("latin1", 0, end);
};
