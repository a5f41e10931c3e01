import { expect, it } from "bun:test";
import { createLog } from "../core/log";
import { createConditions } from "./local-failure";

it("a condition lasts for a minute after its last report, and is logged when it begins and ends", () => {
  const lines: string[] = [];
  const time = { now: 1000 };
  const conditions = createConditions(
    { now: () => time.now },
    createLog("info", false, (line) => lines.push(line)),
  );
  conditions.report("ports");
  time.now += 50_000;
  conditions.report("ports");
  conditions.report("memory");
  time.now += 60_000;
  expect(conditions.active()).toEqual([
    { code: "ports", since: 1000 },
    { code: "memory", since: 51_000 },
  ]);
  conditions.clear("memory");
  time.now += 1;
  expect(conditions.active()).toEqual([]);
  expect(lines.map((line) => JSON.parse(line)).map(({ level, condition }) => [level, condition])).toEqual([
    ["warn", "ports"],
    ["warn", "memory"],
    ["info", "memory"],
    ["info", "ports"],
  ]);
});
