import type { Viewer } from "../db/owner";
import { SECOND } from "../shared/limits";
import { type Tag, tagText } from "../shared/tags";
import type { Deps, Histogram } from "./deps";

/** One line: labels as they are written, such as `{id="3"}`, and a value. A suffix distinguishes the lines of a histogram. */
type Line = { labels: string; value: number; suffix?: string };

/** A metric family. */
export type Family = { name: string; type: "gauge" | "counter" | "histogram"; help: string; lines: Line[] };

/** Maximum monitors, and servers, with their own lines. Beyond it only their number is reported. */
export const MAX_TARGETS = 5000;

/** Reads the metrics that a viewer may see. */
export type ReadFamilies = (deps: Deps, viewer: Viewer) => Promise<Family[]>;

/** Seconds. */
export const seconds = (milliseconds: number | null) => (milliseconds === null ? null : milliseconds / SECOND);

const escapeLabel = (text: string) =>
  /["\\\n]/.test(text) ? text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n") : text;
const escapeHelp = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");

/** Formats one label. */
export const labelOf = (name: string, value: string): string => `${name}="${escapeLabel(value)}"`;

/** Formats labels. */
export const labelsOf = (labels: Record<string, string | number>): string => {
  const pairs = Object.entries(labels).map(([name, value]) => labelOf(name, String(value)));
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
type Labelled = readonly [label: string, value: number];

/** A metric of targets: one value for each, or several with a label of `labelOf` each. */
export type Figure<Row> = {
  name: string;
  help: string;
  /** A gauge unless given. */
  type?: "counter";
  /** Null or nothing where the value is not known. */
  of: (row: Row) => number | null | undefined | readonly Labelled[];
};

/** Families with the lines of each target that has a value. */
export const figuresOf = <Row extends Target>(rows: readonly Row[], figures: readonly Figure<Row>[]): Family[] => {
  const labelled = rows.map((row) => {
    const labels = labelsOf({ id: row.id, name: row.name, ...(row.kind && { kind: row.kind }) });
    return { row, labels, open: labels.slice(0, -1) };
  });
  return figures.map(
    ({ name, type, help, of }): Family => ({
      name,
      type: type ?? "gauge",
      help,
      lines: labelled.flatMap(({ row, labels, open }): Line[] => {
        const figure = of(row);
        if (figure === null || figure === undefined) return [];
        if (typeof figure === "number") return [{ labels, value: figure }];
        // An agent may name two parts alike, and Prometheus accepts no line twice.
        return [...new Map(figure)].map(([own, value]) => ({ labels: `${open},${own}}`, value }));
      }),
    }),
  );
};

/** The name of the label of a tag; empty where its name has no Latin letter or digit. */
const tagLabel = (name: string): string => {
  const label = name
    .normalize("NFKD")
    .replace(/[^a-zA-Z0-9]+/g, "_")
    .replace(/^_|_$/g, "")
    .toLowerCase();
  return label && `tag_${label}`;
};

/**
 * The labels of tags: `tags` has all of them between commas, as in `,production,team:ops,`, so that a pattern finds one; and
 * one label for each whose name has Latin letters or digits, as in `tag_team="ops"`, to join and group by. A tag without a
 * value has "true", because an empty label is the same as none.
 */
export const tagLabels = (tags: readonly Pick<Tag, "name" | "value">[]): Record<string, string> => {
  if (tags.length === 0) return {};
  const labels: Record<string, string> = { tags: `,${tags.map(tagText).join(",")},` };
  for (const { name, value } of tags) {
    const label = tagLabel(name);
    if (label) labels[label] ??= value || "true";
  }
  return labels;
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
