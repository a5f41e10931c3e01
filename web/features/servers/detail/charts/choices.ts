import type { TFunction } from "i18next";
import { parseSeries, type SeriesKind } from "../../../../../src/shared/agents/series";
import type { ThresholdMetric } from "../../../../../src/shared/agents/thresholds";
import { METRICS } from "../../../../../src/shared/notifications";
import { readableName } from "../../../../lib/format";
import type { ServerDetail } from "../../api";
import { shareOf } from "../../resources";

export type Unit = "share" | "rate" | "number" | "celsius" | "milliseconds";

/** A line of a chart: a metric that every agent sends, or the name of a further series. */
export type Line = { key: string; label: string; look: "main" | "peak" | "second" };

/** A choice of a chart. `figures` of the latest report are beside its title. */
export type Choice = { key: string; label: string; unit: Unit; lines: readonly Line[]; threshold: number | null };

const CARDS = ["cpu", "memory", "disk", "network", "load", "temperature", "activity"] as const;
export type Card = (typeof CARDS)[number];

export type ChartCard = { card: Card; choices: readonly [Choice, ...Choice[]] };

/** Whether a choice is drawn from the metrics that every agent sends. */
export const isBase = ({ key }: Choice): boolean => key === "";

type One = { key: string; label: string; line: string; unit: Unit; threshold?: number | null };

/** A choice with one line. */
const one = ({ key, label, line, unit, threshold = null }: One): Choice => ({
  ...{ key, label, unit, threshold },
  lines: [{ key, label: line, look: "main" }],
});

/** A choice with the rates of both directions. */
const both = (key: string, label: string, lines: [key: string, label: string][]): Choice => ({
  ...{ key, label, unit: "rate", threshold: null },
  lines: lines.map(([key, label], place) => ({ key, label, look: place === 0 ? "main" : "second" })),
});

/** Names the series of a server by their kind: the mounts of `disk:/` and `disk:/home`. */
const readSeries = (series: readonly string[]) => {
  const seriesNames = new Set(series);
  return {
    subjects: (kind: SeriesKind): string[] =>
      series.filter((name) => name.startsWith(`${kind}:`)).map((name) => name.slice(kind.length + 1)),
    /** The choice, if the hub has its series. */
    maybe: (choice: Choice): Choice[] => (seriesNames.has(choice.key) ? [choice] : []),
  };
};
type SeriesReader = ReturnType<typeof readSeries>;

type Limits = Pick<ServerDetail, "thresholds" | "own_thresholds" | "processors">;
type ThresholdOf = (metric: ThresholdMetric, subject?: string) => number | null;

/** The figure that alerts the owner of a server: the lowest of the server's own thresholds, or else the rule's. */
const readLimits =
  ({ thresholds, own_thresholds, processors }: Limits): ThresholdOf =>
  (metric, subject) => {
    const own = own_thresholds.find((one) => one.metric === metric && [null, subject].includes(one.subject));
    // The threshold is for each core, the figure for all of them.
    if (own && metric === "load") return processors ? own.threshold * processors : null;
    const simple = METRICS.find((one) => one === metric);
    return own?.threshold ?? (simple ? thresholds[simple] : null);
  };

/** The charts of the figures that every agent sends. */
const baseCharts = ({ subjects, maybe }: SeriesReader, thresholdOf: ThresholdOf, t: TFunction): ChartCard[] => {
  const all = t("servers.charts.all");
  const [disk, inodes] = [t("agents.chart.metric.disk"), t("servers.charts.inodes")];
  const iowait = t("servers.charts.iowait");
  const steal = t("servers.charts.steal");
  const swap = t("agents.resource.swap");
  const [received, sent] = [t("agents.chart.metric.rx"), t("agents.chart.metric.tx")];
  const cpu: Choice = {
    ...{ key: "", label: all, unit: "share", threshold: thresholdOf("cpu") },
    lines: [
      { key: "cpu", label: t("agents.chart.metric.cpu"), look: "main" },
      { key: "cpu_max", label: t("agents.chart.metric.cpu_max"), look: "peak" },
    ],
  };
  const base = (key: "memory" | "disk", label: string, line: string): Choice => ({
    ...one({ key, label, line, unit: "share", threshold: thresholdOf(key) }),
    key: "",
  });
  return [
    {
      card: "cpu",
      choices: [
        cpu,
        ...maybe(one({ key: "iowait", label: iowait, line: iowait, unit: "share" })),
        ...maybe(one({ key: "steal", label: steal, line: steal, unit: "share" })),
      ],
    },
    {
      card: "memory",
      choices: [
        base("memory", t("servers.charts.ram"), t("agents.chart.metric.memory")),
        ...maybe(one({ key: "swap", label: swap, line: swap, unit: "share", threshold: thresholdOf("swap") })),
      ],
    },
    {
      card: "disk",
      choices: [
        base("disk", all, disk),
        ...subjects("disk").map((mount) =>
          one({
            ...{ key: `disk:${mount}`, label: readableName(mount), line: disk },
            ...{ unit: "share", threshold: thresholdOf("disk", mount) },
          }),
        ),
        ...subjects("inodes").map((mount) => {
          const label = t("servers.charts.inodesOf", { mount: readableName(mount) });
          return one({ key: `inodes:${mount}`, label, line: inodes, unit: "share" });
        }),
      ],
    },
    {
      card: "network",
      choices: [
        both("", all, [
          ["rx", received],
          ["tx", sent],
        ]),
        ...subjects("rx").map((name) =>
          both(`rx:${name}`, readableName(name), [
            [`rx:${name}`, received],
            [`tx:${name}`, sent],
          ]),
        ),
      ],
    },
  ];
};

/** The charts of further figures, as far as a server has them. */
const furtherCharts = ({ subjects, maybe }: SeriesReader, thresholdOf: ThresholdOf, t: TFunction): ChartCard[] => {
  const card = (card: Card, [first, ...more]: Choice[]): ChartCard[] =>
    first ? [{ card, choices: [first, ...more] }] : [];
  const [load, temperature] = [t("agents.column.load"), t("servers.devices.temperature")];
  const [busy, latency] = [t("servers.devices.busy"), t("servers.devices.latency")];
  const sensors = subjects("temp").map((sensor) =>
    one({
      ...{ key: `temp:${sensor}`, label: readableName(sensor), line: temperature },
      ...{ unit: "celsius", threshold: thresholdOf("temperature", sensor) },
    }),
  );
  const activity = subjects("read").flatMap((device) => {
    const name = readableName(device);
    const [busyLabel, latencyLabel] = [t("servers.charts.busy", { name }), t("servers.charts.latency", { name })];
    return [
      both(`read:${device}`, name, [
        [`read:${device}`, t("servers.devices.read")],
        [`write:${device}`, t("servers.devices.write")],
      ]),
      ...maybe(one({ key: `busy:${device}`, label: busyLabel, line: busy, unit: "share" })),
      ...maybe(one({ key: `latency:${device}`, label: latencyLabel, line: latency, unit: "milliseconds" })),
    ];
  });
  return [
    ...card(
      "load",
      maybe(one({ key: "load", label: load, line: load, unit: "number", threshold: thresholdOf("load") })),
    ),
    ...card("temperature", sensors),
    ...card("activity", activity),
  ];
};

/** The charts of a server, each with what it can show. `series` are the names of those that the hub has. */
export const chartsOf = (series: readonly string[], limits: Limits, t: TFunction): ChartCard[] => {
  const [reader, thresholdOf] = [readSeries(series), readLimits(limits)];
  return [...baseCharts(reader, thresholdOf, t), ...furtherCharts(reader, thresholdOf, t)];
};

/** A server's latest value of a series; null if it does not report the series now. */
export const latestOf = (agent: ServerDetail, series: string): number | null => {
  const { kind, subject: name } = parseSeries(series) ?? {};
  if (kind === undefined) return null;
  const disk = agent.disks?.find(({ mount }) => mount === name);
  const rates = agent.interfaces?.find((one) => one.name === name);
  const activity = agent.disk_activity?.find(({ device }) => device === name);
  const { swap, load_average, cpu_parts, temperatures } = agent;
  const figures: Record<SeriesKind, number | null | undefined> = {
    swap: swap && shareOf(swap.used, swap.total),
    load: load_average?.[0],
    iowait: cpu_parts?.iowait,
    steal: cpu_parts?.steal,
    disk: disk && shareOf(disk.used, disk.total),
    inodes: disk?.inodes && shareOf(disk.inodes.used, disk.inodes.total),
    rx: rates?.rx,
    tx: rates?.tx,
    temp: temperatures?.find(({ sensor }) => sensor === name)?.celsius,
    read: activity?.read,
    write: activity?.write,
    busy: activity?.busy,
    latency: activity?.latency,
  };
  return figures[kind] ?? null;
};
