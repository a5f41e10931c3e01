import { describe, expect, it } from "bun:test";
import { CheckFailed } from "../outcome";
import { createResponseParser } from "./response";

/** Parses a response that arrives in pieces and then ends; the result, or the code of the error. */
const parse = (pieces: string[], method = "GET") => {
  let body = "";
  const parser = createResponseParser(method, (data) => {
    body += data.toString();
    return false;
  });
  try {
    const complete = pieces.some((piece) => parser.push(Buffer.from(piece)));
    if (!complete) parser.end();
    const head = parser.head();
    return { status: head?.status, headers: Object.fromEntries(head?.headers ?? []), body, complete };
  } catch (error) {
    if (!(error instanceof CheckFailed)) throw error;
    return error.reason.code;
  }
};

const lines = (...all: string[]) => all.join("\r\n");
const codes = (texts: string[]) => texts.map((text) => parse([text]));

describe("a response", () => {
  it("is the same in any pieces", () => {
    const chunked = lines(
      "HTTP/1.1 103 Early Hints",
      "Link: </a.css>",
      "",
      "HTTP/1.1 200 OK",
      "Transfer-Encoding: chunked",
      "Set-Cookie: a=1",
      "set-cookie:b=2  ",
      "X-Folded: one",
      "  two",
      "",
      "4;name=value",
      "wiki",
      "A",
      "pedia\r\n in",
      "0",
      "Trailer: x",
      "",
      "",
    );
    const expected = {
      status: 200,
      headers: { "transfer-encoding": "chunked", "set-cookie": "a=1, b=2", "x-folded": "one two" },
      body: "wikipedia\r\n in",
      complete: true,
    };
    for (let size = 1; size <= chunked.length; size++) {
      const pieces = Array.from({ length: Math.ceil(chunked.length / size) }, (_, index) =>
        chunked.slice(index * size, (index + 1) * size),
      );
      expect([size, parse(pieces)]).toEqual([size, expected]);
    }
  });

  it("ends with its length, whatever follows, or with the connection", () => {
    expect(parse([lines("HTTP/1.1 200 OK", "Content-Length: 2, 2", "", "fine")])).toMatchObject({
      body: "fi",
      complete: true,
    });
    expect(parse([lines("HTTP/1.0 200", "", "fi"), "ne"])).toMatchObject({ body: "fine", complete: false });
    expect(parse(["HTTP/1.1 200 OK\nA: b\n\nfine"])).toMatchObject({ headers: { a: "b" }, body: "fine" });
  });

  it("has no body after HEAD, with 204 and with 304", () => {
    const given = (status: string) => lines(`HTTP/1.1 ${status}`, "Content-Length: 9", "", "");
    expect(parse([given("200 OK")], "HEAD")).toMatchObject({ body: "", complete: true });
    for (const status of ["204 No Content", "304 Not Modified"])
      expect(parse([given(status)])).toMatchObject({ body: "", complete: true });
  });

  it("has headers with any number of spaces", () => {
    const value = `a${" ".repeat(60_000)}b`;
    for (let round = 0; round < 20; round++)
      expect(parse([lines("HTTP/1.1 204 No Content", `X:\t${value}  `, "", "")])).toMatchObject({
        headers: { x: value },
      });
  });

  it("is invalid after too many interim ones", () => {
    const early = "HTTP/1.1 103 Early Hints\r\n\r\n";
    expect(parse([early.repeat(20), "HTTP/1.1 204 No Content\r\n\r\n"])).toMatchObject({ status: 204 });
    expect(parse([early.repeat(21)])).toBe("invalid_response");
  });

  it("is invalid with a malformed head, length or chunk", () => {
    const head = (...headers: string[]) => lines("HTTP/1.1 200 OK", ...headers, "", "body");
    const chunks = (text: string) => lines("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", text);
    const bad = [
      "SSH-2.0-OpenSSH_9.6\r\n",
      "HTTP/2 200 OK\r\n\r\n",
      "HTTP/1.1 2000 OK\r\n\r\n",
      "HTTP/1.1 OK\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\n\r\n",
      head("no colon"),
      head("a b: c"),
      head(" folded: first"),
      head("Content-Length: 3", "Content-Length: 4"),
      head("Content-Length: -1"),
      head("Content-Length: 1e3"),
      chunks("zz\r\n"),
      chunks("-1\r\n"),
      chunks("fffffffff\r\n"),
      chunks("2\r\nabc\r\n0\r\n\r\n"),
      chunks("x".repeat(2000)),
      chunks(`0\r\n${"Trailer: x\r\n".repeat(10_000)}`),
      `HTTP/1.1 200 OK\r\nX: ${"x".repeat(70_000)}`,
      `HTTP/1.1 200 OK\r\n${"X: y\r\n".repeat(20_000)}`,
    ];
    expect(codes(bad)).toEqual(bad.map(() => "invalid_response"));
  });

  it("is incomplete when the connection ends within it", () => {
    const cut = [
      "",
      "HTTP/1.1 200 OK\r\n",
      "HTTP/1.1 103 Early\r\n\r\n",
      lines("HTTP/1.1 200 OK", "Content-Length: 9", "", "only"),
      lines("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "5", "on"),
      lines("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "0", ""),
    ];
    expect(codes(cut)).toEqual(cut.map(() => "reset"));
  });
});
