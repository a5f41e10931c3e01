import { expect, it } from "bun:test";
import { createLog } from "./log";

const collect = (...[level, terminal]: [Parameters<typeof createLog>[0], boolean]) => {
  const lines: string[] = [];
  const log = createLog(level, terminal, (line) => lines.push(line));
  for (const name of ["debug", "info", "warn", "error"] as const) log[name]("it happened", { count: 2, ok: true });
  return lines;
};

it("the log writes its level and those above it", () => {
  const counts = (["debug", "info", "warn", "error", "silent"] as const).map((level) => collect(level, false).length);
  expect(counts).toEqual([4, 3, 2, 1, 0]);
});

it("the log writes one JSON object per line", () => {
  const [line = ""] = collect("error", false);
  expect(line).toEndWith("}\n");
  expect(JSON.parse(line)).toEqual({
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    level: "error",
    message: "it happened",
    count: 2,
    ok: true,
  });
});

it("the log writes plain text to a terminal", () => {
  expect(collect("error", true)).toEqual([expect.stringMatching(/^\S+Z error it happened count=2 ok=true\n$/)]);
});

it("the log writes one line for any text in a field", () => {
  for (const terminal of [false, true]) {
    const lines: string[] = [];
    createLog("info", terminal, (line) => lines.push(line)).info("x", { path: "/a\nfaked line\r\n\u001b[31m" });
    expect(lines[0]?.trimEnd()).not.toMatch(/\p{Cc}/u);
  }
});
