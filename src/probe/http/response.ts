/** Parses HTTP/1.1 responses as they arrive, within bounds. @see https://www.rfc-editor.org/rfc/rfc9112 */
import { checkError } from "../../shared/check-error";
import { CheckFailed } from "../outcome";

/** Bytes of a status line with its headers, and of the trailers after chunks. */
const MAX_HEAD = 64 * 1024;
/** Interim responses before the final one. */
const MAX_INTERIM = 20;
/** Bytes of a line before a chunk: its size, and extensions that no one uses. */
const MAX_SIZE_LINE = 1024;

const NEWLINE = 10;
const RETURN = 13;

/** The status and the headers of a response. Names are in lower case; values of one name are joined by commas. */
export type Head = { status: number; headers: ReadonlyMap<string, string> };

const invalid = () => new CheckFailed(checkError("invalid_response"));

/** The connection ended within the response. */
const incomplete = () => new CheckFailed(checkError("reset"));

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** @throws {CheckFailed} invalid_response */
const parseHead = (text: string): Head => {
  const [first = "", ...lines] = text.split("\n");
  const status = Number(/^HTTP\/1\.[01] ([1-5]\d\d)(?:[ \r]|$)/.exec(first)?.[1]);
  if (!status) throw invalid();
  const headers = new Map<string, string>();
  let last = "";
  for (const line of lines) {
    if ((line.startsWith(" ") || line.startsWith("\t")) && last !== "") {
      headers.set(last, `${headers.get(last)} ${line.trim()}`);
      continue;
    }
    const colon = line.indexOf(":");
    const name = line.slice(0, colon);
    if (colon < 0 || !NAME.test(name)) throw invalid();
    last = name.toLowerCase();
    const value = line.slice(colon + 1).trim();
    const previousValue = headers.get(last);
    headers.set(last, previousValue === undefined ? value : `${previousValue}, ${value}`);
  }
  return { status, headers };
};

/** The index after the empty line that ends the headers, searched from `from`; -1 without one. */
const endOfHead = (data: Buffer, from: number): number => {
  for (let at = data.indexOf(NEWLINE, from); at >= 0; at = data.indexOf(NEWLINE, at + 1)) {
    if (data[at + 1] === NEWLINE) return at + 2;
    if (data[at + 1] === RETURN && data[at + 2] === NEWLINE) return at + 3;
  }
  return -1;
};

/** Reads a body in pieces. `push` returns whether it is complete; `end` is called when the connection has ended. */
type Body = { push: (data: Buffer) => boolean; end: () => void };

/** Takes content of a body; returns whether it wants no more. */
type Take = (data: Buffer) => boolean;

const bodyUntilClose = (take: Take): Body => ({ push: take, end: () => {} });

const bodyOfLength = (length: number, take: Take): Body => {
  let left = length;
  return {
    push: (data) => {
      const part = data.subarray(0, left);
      left -= part.length;
      return take(part) || left === 0;
    },
    end: () => {
      throw incomplete();
    },
  };
};

const CHUNK_SIZE = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i;

/** A body in chunks, each after a line with its size, followed by trailers. */
const chunkedBody = (take: Take): Body => {
  let state: "size" | "data" | "end of data" | "trailers" = "size";
  let left = 0;
  let line = "";
  let trailers = 0;

  /** Handles a complete line. Returns whether it is the last one. */
  const endLine = (): boolean => {
    const text = line.replace(/\r$/, "");
    line = "";
    if (state === "trailers") return text === "";
    if (state === "end of data") {
      if (text !== "") throw invalid();
      state = "size";
      return false;
    }
    left = Number.parseInt(CHUNK_SIZE.exec(text)?.[1] ?? "", 16);
    if (Number.isNaN(left)) throw invalid();
    state = left === 0 ? "trailers" : "data";
    return false;
  };

  return {
    push: (data) => {
      for (let at = 0; at < data.length; ) {
        if (state === "data") {
          const part = data.subarray(at, at + left);
          at += part.length;
          left -= part.length;
          if (take(part)) return true;
          if (left === 0) state = "end of data";
          continue;
        }
        const newline = data.indexOf(NEWLINE, at);
        const end = newline < 0 ? data.length : newline;
        line += data.toString("latin1", at, end);
        if (state === "trailers") trailers += end - at;
        if (line.length > (state === "trailers" ? MAX_HEAD : MAX_SIZE_LINE) || trailers > MAX_HEAD) throw invalid();
        at = end + 1;
        if (newline >= 0 && endLine()) return true;
      }
      return false;
    },
    end: () => {
      throw incomplete();
    },
  };
};

/** How the body of a response is delimited; null without a body. @throws {CheckFailed} invalid_response */
const bodyOf = ({ status, headers }: Head, method: string, take: Take): Body | null => {
  if (method === "HEAD" || status === 204 || status === 304) return null;
  const encoding = headers.get("transfer-encoding");
  if (encoding !== undefined && /(^|,)\s*chunked$/i.test(encoding)) return chunkedBody(take);
  const length = headers.get("content-length");
  if (encoding !== undefined || length === undefined) return bodyUntilClose(take);
  const lengths = new Set(length.split(/\s*,\s*/));
  const [only = ""] = lengths;
  if (lengths.size !== 1 || !/^\d{1,15}$/.test(only)) throw invalid();
  return Number(only) === 0 ? null : bodyOfLength(Number(only), take);
};

/** The first bytes of every response. */
const START = Buffer.from("HTTP/1.");
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Creates a parser of the response to a request with this method. `push` takes what arrives and returns whether the
 * response is complete; `end` is called when the connection has ended. `take` gets the content of the body, and returns
 * whether it wants no more, which completes the response.
 * @throws {CheckFailed} invalid_response or reset, from `push` and `end`
 */
export const createResponseParser = (method: string, take: Take) => {
  let head: Head | null = null;
  let body: Body | null = null;
  let received = NOTHING;
  let interim = 0;

  /** Reads the head of the final response. Returns the data after it, or null while it is incomplete. */
  const readHead = (data: Buffer): Buffer | null => {
    const searched = Math.max(0, received.length - 2);
    received = received.length === 0 ? data : Buffer.concat([received, data]);
    const prefixLength = Math.min(START.length, received.length);
    if (received.compare(START, 0, prefixLength, 0, prefixLength) !== 0) throw invalid();
    const end = endOfHead(received, searched);
    if ((end < 0 ? received.length : end) > MAX_HEAD) throw invalid();
    if (end < 0) return null;
    const parsed = parseHead(received.toString("latin1", 0, end).trimEnd());
    const rest = received.subarray(end);
    received = NOTHING;
    // Interim responses, such as 103, come before the final one. No other protocol was asked for.
    if (parsed.status === 101) throw invalid();
    if (parsed.status < 200 && ++interim > MAX_INTERIM) throw invalid();
    if (parsed.status < 200) return rest.length === 0 ? null : readHead(rest);
    head = parsed;
    return rest;
  };

  return {
    push: (data: Buffer): boolean => {
      if (head) return body?.push(data) ?? true;
      const rest = readHead(data);
      if (rest === null || head === null) return false;
      body = bodyOf(head, method, take);
      return body === null || (rest.length > 0 && body.push(rest));
    },
    end: (): void => {
      if (!head) throw incomplete();
      body?.end();
    },
    /** The head of the final response, once it has arrived. */
    head: (): Head | null => head,
  };
};
