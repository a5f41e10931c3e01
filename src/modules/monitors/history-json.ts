import { DAY } from "../../shared/limits";
import { unpackRecent } from "../../shared/recent";

/*
 * A list of a thousand monitors holds 24,000 past outcomes. As objects they cost more than all the rest of the answer
 * together, to make and to write; so their JSON is written here, digit by digit, into one buffer.
 */

const ITEM_ROOM = 120;
const room = Buffer.alloc(64 * ITEM_ROOM);
let end = 0;

const put = (text: string) => {
  end += room.write(text, end, "latin1");
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

const putByte = (byte: number) => {
  room[end++] = byte;
};

let day = Number.NaN;
let date = "";

const putTime = (time: number) => {
  const today = Math.floor(time / DAY);
  if (today !== day) {
    date = new Date(time).toISOString().slice(0, 11);
    day = today;
  }
  put(date);
  const rest = time - today * DAY;
  const seconds = (rest / 1000) | 0;
  putDigits((seconds / 3600) | 0, 2);
  putByte(COLON);
  putDigits(((seconds / 60) | 0) % 60, 2);
  putByte(COLON);
  putDigits(seconds % 60, 2);
  putByte(DOT);
  putDigits(rest - seconds * 1000, 3);
  putByte(Z);
};

const [COLON, DOT, Z, COMMA] = [":", ".", "Z", ","].map((sign) => sign.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
];
const MILLION = 1_000_000;

/** The last outcomes of a monitor, oldest first, as the JSON that its `history` would become. */
export const historyJson = (monitorId: number, recent: string, count: number): string => {
  end = 0;
  const up = `,"monitor_id":${monitorId},"status":"up","timestamp":"`;
  const down = `,"monitor_id":${monitorId},"status":"down","timestamp":"`;
  put("[");
  for (const outcome of unpackRecent(recent, count)) {
    if (end > 1) putByte(COMMA);
    put('{"id":');
    const millions = Math.floor(outcome.at / MILLION);
    put(String(millions));
    putDigits(outcome.at - millions * MILLION, 6);
    put(outcome.up ? up : down);
    putTime(outcome.at);
    put('"}');
  }
  put("]");
  return room.toString("latin1", 0, end);
};
