import { expect, test } from "bun:test";
import type { UnsentReason } from "../../../../src/shared/outages/unsent-reasons";
import type { HistoryEvent } from "./api";
import { foldEvents, groupUnsent } from "./fold";

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

/** Events from "minute kind target outage", the newest first. */
const fold = (...lines: string[]) => {
  const events = lines.map((line, index) => {
    const [minute, kind, name = "a", outage] = line.split(" ");
    const target = { type: "monitor", id: name.charCodeAt(0), name };
    return {
      id: -index,
      kind,
      target,
      outage_id: outage ? Number(outage) : null,
      at: new Date(START + Number(minute) * MINUTE).toISOString(),
    };
  });
  return foldEvents(events as unknown as HistoryEvent[]).map(
    ({ events, isLatest }) =>
      `${events[0].target.name} ${events.map(({ kind }) => kind).join(" ")}${isLatest ? " (latest)" : ""}`,
  );
};

test("four and more changes of one target within an hour of each other are one entry", () => {
  expect(fold("90 recovery", "60 down", "30 recovery", "0 down")).toEqual(["a recovery down recovery down (latest)"]);
  expect(fold("60 down", "30 recovery", "0 down")).toEqual(["a down (latest)", "a recovery", "a down"]);
  expect(fold("200 recovery", "139 down", "30 recovery", "0 down")).toHaveLength(4);
});

test("events of other targets and figures between them stay entries of their own", () => {
  expect(
    fold("50 recovery", "45 cpu_high", "40 down", "30 down b", "20 recovery", "10 down", "5 recovery", "0 cpu_normal"),
  ).toEqual([
    "a recovery down recovery down recovery (latest)",
    "a cpu_high (latest)",
    "b down (latest)",
    "a cpu_normal",
  ]);
});

test("a pause of more than an hour begins a new entry", () => {
  const entries = fold("500 down", "400 recovery", "300 down", "290 recovery", "280 down", "270 recovery");
  expect(entries).toEqual(["a down (latest)", "a recovery", "a down recovery down recovery"]);
});

test("the events of one outage are one entry, however long it lasts", () => {
  expect(fold("900 recovery a 7", "800 down b 8", "10 down a 7")).toEqual([
    "a recovery down (latest)",
    "b down (latest)",
  ]);
  expect(fold("60 down a 9", "30 recovery a 7", "0 down a 7")).toEqual(["a down (latest)", "a recovery down"]);
});

test("three and more neighbours that were not sent for one reason are one group, and everything else is alone", () => {
  const reasons: Record<string, UnsentReason> = { "-": "default_disabled", "+": "no_recipients" };
  const group = (letters: string) =>
    groupUnsent([...letters], (letter) => reasons[letter] ?? null).map((letters) => letters.join(""));
  expect(group("a---b--cd-----")).toEqual(["a", "---", "b", "-", "-", "c", "d", "-----"]);
  expect(group("---+++-+")).toEqual(["---", "+++", "-", "+"]);
  expect(group("")).toEqual([]);
});

test("no events are no entries", () => expect(foldEvents([])).toEqual([]));
