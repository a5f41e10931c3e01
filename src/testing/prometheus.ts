import { expect } from "bun:test";
import type { TestApp } from "./app";
import { createClient } from "./client";

type Sample = { name: string; labels: Record<string, string>; value: number };
type Family = { type: string; help: string; samples: Sample[] };

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
const LABEL = /^([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(,|})/;
const VALUE = /^ (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|[+-]Inf)$/;
const ESCAPES: Record<string, string> = { "\\\\": "\\", '\\"': '"', "\\n": "\n" };

const plain = (text: string) => text.replace(/\\[\\"n]/g, (pair) => ESCAPES[pair] as string);
const must = <T>(found: T | null | undefined, line: string): T => {
  if (found === null || found === undefined) throw new Error(`not in the text format: ${line}`);
  return found;
};

const parseSample = (line: string): Sample => {
  const [name] = must(NAME.exec(line), line);
  let rest = line.slice(name.length);
  const labels: Record<string, string> = {};
  if (rest.startsWith("{")) {
    for (rest = rest.slice(1); ; ) {
      const [all, label = "", value = "", end] = must(LABEL.exec(rest), line);
      if (Object.hasOwn(labels, label)) throw new Error(`${label} is there twice: ${line}`);
      labels[label] = plain(value);
      rest = rest.slice(all.length);
      if (end === "}") break;
    }
  }
  return { name, labels, value: Number(must(VALUE.exec(rest), line)[1]) };
};

/**
 * Parses Prometheus' text format strictly: HELP, then TYPE, then all lines of one family together; no line twice; the last
 * line ends with a line feed.
 */
const parseMetrics = (text: string): Map<string, Family> => {
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line does not end");
  let current = "";
  let help = "";
  for (const line of text.split("\n").slice(0, -1)) {
    const [, word, name = "", more = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (word === "HELP") [current, help] = [name, more];
    else if (word === "TYPE") {
      if (name !== current || families.has(name)) throw new Error(`out of order: ${line}`);
      families.set(name, { type: more, help, samples: [] });
    } else {
      const sample = parseSample(line);
      const { type, samples } = must(families.get(current), line);
      const ending = sample.name.replace(current, "");
      if (type === "histogram" ? !/^_(bucket|sum|count)$/.test(ending) : ending !== "")
        throw new Error(`not in its family: ${line}`);
      const key = line.slice(0, line.lastIndexOf(" "));
      if (seen.has(key)) throw new Error(`there twice: ${line}`);
      seen.add(key);
      samples.push(sample);
    }
  }
  return families;
};

/** Reads /metrics with a token or key. */
export const scrape = async ({ send }: Pick<TestApp, "send">, secret: string) => {
  const { status, headers, text } = await createClient(send, secret).get("/metrics");
  expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  const families = parseMetrics(text);
  /** The value of a line, by the name and the labels that matter. */
  const figure = (name: string, wanted: Record<string, string> = {}) =>
    [...families.values()]
      .flatMap(({ samples }) => samples)
      .find(
        (sample) =>
          sample.name === name && Object.entries(wanted).every(([key, value]) => sample.labels[key] === value),
      )?.value;
  const idsOf = (name: string) => families.get(name)?.samples.map(({ labels }) => Number(labels.id)) ?? [];
  return { text, families, figure, idsOf };
};
