/** Conditions of Gatus, such as `[STATUS] == 200`, as what a monitor here expects. */
import { ASSERTION_LIMITS } from "../../../../shared/assertions";
import { secondsOf } from "../read-text";
import type { Note } from "../source";
import { note } from "../text";

type Expected = {
  /** Codes and ranges; empty for the usual ones. */
  statuses: string;
  assertions: Record<string, unknown>[];
  certificateDays: number | null;
  notes: Note[];
};

const OPERATOR = /^(.+?)\s*(==|!=|<=|>=|<|>)\s*(.*)$/;
const OPERATORS: Record<string, string> = { "==": "=" };

const statusesOf = (op: string, value: string): string | null => {
  const any = /^any\((.*)\)$/.exec(value)?.[1];
  if (op === "==" && any !== undefined) return any.replaceAll(/\s/g, "");
  const code = Number(value);
  if (!Number.isInteger(code) || code < 100 || code > 600) return null;
  if (op === "==") return String(code);
  if (op === "<") return `100-${code - 1}`;
  if (op === "<=") return `100-${code}`;
  if (op === ">") return `${code + 1}-599`;
  return op === ">=" ? `${code}-599` : null;
};

/** A path after `[BODY]`, or the length of its value. */
const pathOf = (subject: string): string | null => {
  const [, inner = subject] = /^len\((.*)\)$/.exec(subject) ?? [];
  const path = /^\[BODY\]\.?(.*)$/.exec(inner)?.[1];
  if (path === undefined) return null;
  return inner === subject ? path : [path, "length"].filter((part) => part !== "").join(".");
};

const bodyOf = (subject: string, op: string, value: string): Record<string, unknown> | null => {
  const has = /^has\((.*)\)$/.exec(subject)?.[1];
  if (has !== undefined) {
    const path = pathOf(has);
    return path && op === "==" && value === "true" ? { on: "json", path, op: "exists" } : null;
  }
  const path = pathOf(subject);
  if (path === null || value.length > ASSERTION_LIMITS.value || path.length > ASSERTION_LIMITS.path) return null;
  const pattern = /^pat\(\*(.*)\*\)$/.exec(value)?.[1];
  if (pattern !== undefined && !/[*?[]/.test(pattern) && (op === "==" || op === "!=")) {
    const text = { op: op === "==" ? "contains" : "lacks", value: pattern };
    return path === "" ? { on: "body", ...text } : { on: "json", path, ...text };
  }
  if (path === "" || /^(any|pat|age|len|has)\(|^\[/.test(value)) return null;
  return { on: "json", path, op: OPERATORS[op] ?? op, value };
};

/** Says the same as the conditions, as far as that is possible; the others are named. */
export const expectedOf = (conditions: readonly string[]): Expected => {
  const expected: Expected = { statuses: "", assertions: [], certificateDays: null, notes: [] };
  const take = (condition: string): boolean => {
    const [, subject = "", op = "", value = ""] = OPERATOR.exec(condition.trim()) ?? [];
    switch (subject) {
      case "[CONNECTED]":
        return op === "==" && value === "true";
      case "[DNS_RCODE]":
        return op === "==" && value === "NOERROR";
      case "[STATUS]": {
        const statuses = statusesOf(op, value);
        if (statuses === null || expected.statuses !== "") return false;
        expected.statuses = statuses;
        return true;
      }
      case "[RESPONSE_TIME]": {
        const limit = Number(value);
        const hasLimit = expected.assertions.some(({ on }) => on === "time");
        if (!/^<=?$/.test(op) || !(limit >= 1 && limit <= ASSERTION_LIMITS.time) || hasLimit) return false;
        expected.assertions.push({ on: "time", op: "<", value: Math.round(limit) });
        return true;
      }
      case "[CERTIFICATE_EXPIRATION]": {
        const seconds = secondsOf(value);
        if (seconds === null || !/^>=?$/.test(op)) return false;
        expected.certificateDays = Math.max(1, Math.ceil(seconds / 86_400));
        return true;
      }
      default: {
        const assertion = bodyOf(subject, op, value);
        if (assertion === null || expected.assertions.length >= ASSERTION_LIMITS.count) return false;
        expected.assertions.push(assertion);
        return true;
      }
    }
  };
  for (const condition of conditions)
    if (!take(condition)) expected.notes.push(note("field_left_out", `condition ${condition}`));
  return expected;
};
