/** The monitors of xugou: it has HTTP only. */
import { LIMITS } from "../../../../shared/limits";
import { METHODS, METHODS_WITH_BODY } from "../../../../shared/monitor";
import type { Item } from "../source";
import { clean, type Fields, flagIn, jsonIn, note, numberIn, recordOf, textOf, within } from "../text";
import type { XugouRows } from "./rows";

/** One digit stands for all status codes that begin with it. */
const statusesOf = (row: Fields): string => {
  const expected = numberIn(row, "expected_status") ?? 200;
  return expected >= 1 && expected <= 5 ? `${expected}xx` : String(expected);
};

const headersOf = (row: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(recordOf(jsonIn(row, "headers"))).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
    ),
  );

const itemOf = (row: Fields, id: number, minInterval: number): Item => {
  const name = clean(row.name, LIMITS.monitorName) || clean(row.url, LIMITS.monitorName) || `monitor ${id}`;
  const sentMethod = textOf(row, "method").trim().toUpperCase() || "GET";
  const method = METHODS.find((one) => one === sentMethod);
  const sentInterval = numberIn(row, "interval") ?? 60;
  const interval = within(sentInterval, minInterval, LIMITS.intervalMax);
  const body = textOf(row, "body");
  return {
    ...{ part: "monitors", externalId: `monitor:${id}`, name, kind: "http" },
    content: {
      ...{ id, name, url: textOf(row, "url").trim(), method: method ?? "GET", headers: headersOf(row), interval },
      ...(method && METHODS_WITH_BODY.includes(method) && body !== "" && { body }),
      expected_statuses: statusesOf(row),
      timeout: within(numberIn(row, "timeout") || 30, 1, Math.min(interval, LIMITS.timeoutMax)),
      retries: 0,
      active: flagIn(row, "active"),
    },
    notes: [
      ...(method ? [] : [note("method_unsupported", sentMethod)]),
      ...(interval === sentInterval ? [] : [note("interval_changed", sentInterval)]),
    ],
  };
};

export const monitorItems = ({ monitors }: XugouRows, minInterval: number): Item[] =>
  monitors.flatMap((row) => {
    const id = numberIn(row, "id");
    return id === null ? [] : [itemOf(row, id, minInterval)];
  });
