/** The opening handshake of WebSocket. */
import { createHash } from "node:crypto";
import { USER_AGENT } from "../../build-info";
import { type CheckError, checkError } from "../../shared/check-error";
import type { Step } from "../connection/dialogue";
import { basicLogin } from "../url";

/** @see https://www.rfc-editor.org/rfc/rfc6455#section-1.3 */
const acceptOf = (key: string) =>
  createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");

const END = "\r\n\r\n";

/** A response's status and headers by their lower-case names, or null for anything else. */
const parseHead = (head: string): { status: number; headers: Map<string, string> } | null => {
  const [first = "", ...lines] = head.split("\r\n");
  const status = /^HTTP\/1\.1 ([1-5]\d\d)(?: |$)/.exec(first)?.[1];
  if (!status) return null;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const at = line.indexOf(":");
    if (at > 0) headers.set(line.slice(0, at).toLowerCase(), line.slice(at + 1).trim());
  }
  return { status: Number(status), headers };
};

const has = (headers: Map<string, string>, name: string, token: string) =>
  (headers.get(name) ?? "").split(",").some((part) => part.trim().toLowerCase() === token);

/** The error of a response with status 101, or null. */
const problemOf = (headers: Map<string, string>, key: string, subprotocol: string): CheckError | null => {
  const isAccepted =
    has(headers, "upgrade", "websocket") &&
    has(headers, "connection", "upgrade") &&
    headers.get("sec-websocket-accept") === acceptOf(key) &&
    // None was offered.
    !headers.has("sec-websocket-extensions");
  if (!isAccepted) return checkError("websocket_handshake");
  return (headers.get("sec-websocket-protocol") ?? "") === subprotocol ? null : checkError("websocket_protocol");
};

const requestOf = (url: URL, key: string, subprotocol: string): string => {
  const login = basicLogin(url);
  const lines = [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Key: ${key}`,
    "Sec-WebSocket-Version: 13",
    ...(subprotocol ? [`Sec-WebSocket-Protocol: ${subprotocol}`] : []),
    `User-Agent: ${USER_AGENT}`,
    ...(login === null ? [] : [`Authorization: ${login}`]),
  ];
  return lines.join("\r\n") + END;
};

/** Asks for a WebSocket connection. `onStatus` is called with the status of the response. */
export const handshake = (url: URL, subprotocol: string, onStatus: (status: number) => void): Step => {
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const refused = checkError("websocket_handshake");
  return {
    send: Buffer.from(requestOf(url, key, subprotocol)),
    undecided: refused,
    judge: (answer) => {
      const text = answer.toString("latin1");
      const end = text.indexOf(END);
      if (end < 0) return "HTTP/1.1 ".startsWith(text.slice(0, 9)) ? "more" : refused;
      const response = parseHead(text.slice(0, end));
      if (!response) return refused;
      onStatus(response.status);
      if (response.status !== 101) return checkError("status", { actual: response.status, expected: "101" });
      return problemOf(response.headers, key, subprotocol) ?? "ok";
    },
  };
};

/** The bytes after the head of a response, which are frames. */
export const afterHead = (answer: Buffer): Buffer => answer.subarray(answer.indexOf(END) + END.length);
