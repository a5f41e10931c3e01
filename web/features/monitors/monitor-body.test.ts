import { expect, test } from "bun:test";
import { toMonitorBody } from "./monitor-body";

const form = (...entries: [string, string][]) => {
  const data = new FormData();
  for (const [name, value] of entries) data.append(name, value);
  return data;
};
const complete: [string, string][] = [
  ["name", "  Payments  "],
  ["url", " https://example.com "],
  ["method", "GET"],
  ["interval", "5"],
  ["timeout", "30"],
  ["expectedStatus", "2"],
  ["retries", "1"],
];

test("minutes become seconds, texts are trimmed, a class of codes is its digit", () => {
  expect(toMonitorBody(form(...complete))).toEqual({
    name: "Payments",
    url: "https://example.com",
    method: "GET",
    interval: 300,
    timeout: 30,
    expectedStatus: 2,
    headers: {},
    body: "",
    retries: 1,
  });
});

test("header rows with a blank name are dropped, and names are trimmed", () => {
  const { headers } = toMonitorBody(
    form(
      ...complete,
      ["header-name", " Accept "],
      ["header-value", "application/json"],
      ["header-name", "   "],
      ["header-value", "lost"],
      ["header-name", ""],
      ["header-value", ""],
    ),
  );
  expect(headers).toEqual({ Accept: "application/json" });
});

test("a body goes only with methods that send one, exactly as typed", () => {
  const withMethod = (method: string) =>
    toMonitorBody(form(...complete.filter(([name]) => name !== "method"), ["method", method], ["body", " {}\n"])).body;
  expect(["GET", "HEAD", "DELETE"].map(withMethod)).toEqual(["", "", ""]);
  expect(["POST", "PUT", "PATCH"].map(withMethod)).toEqual([" {}\n", " {}\n", " {}\n"]);
});

test("numbers that are none become 0", () => {
  const body = toMonitorBody(form(["interval", "soon"], ["timeout", ""]));
  expect([body.interval, body.timeout, body.expectedStatus]).toEqual([0, 0, 0]);
});
