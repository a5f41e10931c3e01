import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { monitor } from "../fixtures";
import { shownInterval } from "./interval-field";
import { http } from "./kinds/http";
import { toMonitorBody as toBody } from "./monitor-form";

const form = (...entries: [string, string][]) => {
  const data = new FormData();
  for (const [name, value] of entries) data.append(name, value);
  return data;
};
const stored = { interval: 60, body: "" };
const toMonitorBody = (data: FormData, { interval, body }: typeof stored) =>
  toBody(data, http, monitor({ body }), interval) as ReturnType<typeof toBody> & Record<string, unknown>;
const complete: [string, string][] = [
  ["name", "  Payments  "],
  ["url", " https://example.com "],
  ["method", "GET"],
  ["interval", "5"],
  ["timeout", "30"],
  ["expectedStatus", "2"],
  ["retries", "1"],
  ["retry_pause", "20"],
  ["quick_recheck", "on"],
  ["ip_family", "any"],
];

test("the form's minutes become seconds, texts are trimmed, and a class of codes becomes its digit", () => {
  expect(toMonitorBody(form(...complete), stored)).toEqual({
    name: "Payments",
    url: "https://example.com",
    method: "GET",
    interval: 300,
    timeout: 30,
    expectedStatus: 2,
    expected_statuses: "",
    assertions: [],
    ip_family: "any",
    accept_self_signed: false,
    headers: {},
    body: "",
    retries: 1,
    retry_pause: 20,
    quick_recheck: true,
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
    stored,
  );
  expect(headers).toEqual({ Accept: "application/json" });
});

test("a request body is saved exactly as typed, also with a method that sends none", () => {
  const withMethod = (method: string) =>
    toMonitorBody(
      form(...complete.filter(([name]) => name !== "method"), ["method", method], ["body", " {}\n"]),
      stored,
    ).body;
  expect(["GET", "HEAD", "POST"].map(withMethod)).toEqual([" {}\n", " {}\n", " {}\n"]);
});

test("a request body with CRLF line ends keeps them unless it is edited", () => {
  const sent = (typed: string) =>
    toMonitorBody(form(...complete, ["body", typed]), { interval: 60, body: "a\r\nb" }).body;
  expect(sent("a\nb")).toBe("a\r\nb");
  expect(sent("a\nc")).toBe("a\nc");
});

test.each([60, 90, 100, 86_399])("an interval of %d seconds stays unless its minutes are changed", (interval) => {
  const rest = complete.filter(([name]) => name !== "interval");
  const sent = (minutes: string) =>
    toMonitorBody(form(...rest, ["interval", minutes]), { interval, body: "" }).interval;
  expect(sent(shownInterval(interval))).toBe(interval);
  expect(sent("3")).toBe(180);
});

test("a field that is not a number becomes 0", () => {
  const body = toMonitorBody(form(["interval", "soon"], ["timeout", ""]), stored);
  expect([body.interval, body.timeout, body.expectedStatus]).toEqual([0, 0, 0]);
});
