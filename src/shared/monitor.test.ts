import { expect, it } from "bun:test";
import { expectedLabel, isExpected, parseStatuses, statusesText } from "./monitor";

it("an expected status matches its code, or any code of its class", () => {
  const cases: [status: number, expected: number, is: boolean][] = [
    [200, 200, true],
    [201, 200, false],
    [200, 2, true],
    [299, 2, true],
    [300, 2, false],
    [199, 2, false],
    [301, 3, true],
    [404, 4, true],
    [599, 5, true],
    [101, 1, true],
    [20, 2, false],
  ];
  for (const [status, expected, is] of cases)
    expect([status, expected, isExpected(status, expected)]).toEqual([status, expected, is]);
});

it("an expected status is labelled by its code, or by its class as in 2xx", () => {
  expect([expectedLabel(204), expectedLabel(2), expectedLabel(5)]).toEqual(["204", "2xx", "5xx"]);
});

it("parses status codes, ranges and classes, and renders them", () => {
  const normalized = (text: string) => {
    const ranges = parseStatuses(text);
    return ranges && statusesText(ranges);
  };
  for (const [text, result] of [
    ["200", "200"],
    [" 200-299 , 401", "200-299,401"],
    ["2xx,5XX", "200-299,500-599"],
    ["200 - 204", "200-204"],
    ["200-200", "200"],
  ] as const)
    expect([text, normalized(text)]).toEqual([text, result]);
  for (const text of [
    "",
    ",",
    "200,",
    "99",
    "600",
    "0200",
    "299-200",
    "200-299-300",
    "6xx",
    "2x",
    "abc",
    "-1",
    "200;201",
  ])
    expect([text, normalized(text)]).toEqual([text, null]);
});
