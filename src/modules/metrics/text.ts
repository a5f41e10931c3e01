import type { Histogram } from "../../core/deps";

/** One line: labels as they are written, such as `{id="3"}`, and a value. A suffix distinguishes the lines of a histogram. */
type Line = { labels: string; value: number; suffix?: string };

/** A metric family. */
export type Family = { name: string; type: "gauge" | "counter" | "histogram"; help: string; lines: Line[] };

const escapeLabel = (text: string) => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
const escapeHelp = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");

/** Formats labels. */
export const labelsOf = (labels: Record<string, string | number>): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(String(value))}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
};

/** A family with one line, or one for each value of a label: `values` by the label, then by its value. */
export const family = (
  name: string,
  type: "gauge" | "counter",
  help: string,
  values: number | { label: string; by: Record<string, number> },
): Family => {
  const lines =
    typeof values === "number"
      ? [{ labels: "", value: values }]
      : Object.entries(values.by).map(([key, value]) => ({ labels: labelsOf({ [values.label]: key }), value }));
  return { name, type, help, lines };
};

/** A family of the buckets, the sum and the count of a histogram. */
export const histogramFamily = (name: string, help: string, histogram: Histogram): Family => {
  const { buckets, count, sum } = histogram.read();
  const bucket = (le: string, value: number) => ({ suffix: "_bucket", labels: labelsOf({ le }), value });
  return {
    name,
    type: "histogram",
    help,
    lines: [
      ...buckets.map(({ bound, count: below }) => bucket(String(bound), below)),
      bucket("+Inf", count),
      { suffix: "_sum", labels: "", value: sum },
      { suffix: "_count", labels: "", value: count },
    ],
  };
};

type Target = { id: number; name: string; kind?: string };
type Gauge<Row> = { name: string; help: string; of: (row: Row) => number | null };

/** Families of gauges with a line for each target that has a value. */
export const gaugesOf = <Row extends Target>(rows: readonly Row[], gauges: readonly Gauge<Row>[]): Family[] => {
  const labelled = rows.map((row) => ({
    row,
    labels: labelsOf({ id: row.id, name: row.name, ...(row.kind && { kind: row.kind }) }),
  }));
  return gauges.map(({ name, help, of }) => ({
    name,
    type: "gauge",
    help,
    lines: labelled.flatMap(({ row, labels }) => {
      const value = of(row);
      return value === null ? [] : [{ labels, value }];
    }),
  }));
};

/**
 * A family in Prometheus' text format, version 0.0.4; nothing for one without lines.
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export const writeFamily = ({ name, type, help, lines }: Family): string => {
  if (lines.length === 0) return "";
  const texts = lines.map(({ suffix = "", labels, value }) => `${name}${suffix}${labels} ${value}\n`);
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${texts.join("")}`;
};
