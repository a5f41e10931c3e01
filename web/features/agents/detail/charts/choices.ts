import type { TFunction } from "i18next";
import { readableName } from "../../../../lib/format";
import type { AgentDetail } from "../../api";
import { shareOf } from "../../resources";

export type Unit = "share" | "rate" | "number" | "celsius" | "milliseconds";

/** A line of a chart: a metric that every agent sends, or the name of a further series. */
export type Line = { key: string; label: string; look: "main" | "peak" | "second" };

/** What a chart can show. `figures` of the latest report are beside its title. */
export type Choice = { key: string; label: string; unit: Unit; lines: readonly Line[]; threshold: number | null };

export const CARDS = ["cpu", "memory", "disk", "network", "load", "temperature", "activity"] as const;
export type Card = (typeof CARDS)[number];

export type ChartCard = { card: Card; choices: readonly [Choice, ...Choice[]] };

/** Whether a choice is drawn from the metrics that every agent sends. */
export const isBase = ({ key }: Choice): boolean => key === "";

/** The names of a kind of series without the kind: the mounts of `disk:/`, `disk:/home`. */
const partsOf = (series: readonly string[], kind: string): string[] =>
  series.filter((name) => name.startsWith(`${kind}:`)).map((name) => name.slice(kind.length + 1));

/** The charts of a server, each with what it can show. `series` are the names of those that the hub has. */
export const chartsOf = (
  series: readonly string[],
  thresholds: AgentDetail["thresholds"],
  t: TFunction,
): ChartCard[] => {
  const known = new Set(series);
  const one = (key: string, label: string, unit: Unit, threshold: number | null = null): Choice => ({
    ...{ key, label, unit, threshold },
    lines: [{ key, label, look: "main" }],
  });
  const two = (
    key: string,
    label: string,
    lines: [main: string, second: string],
    labels: [string, string],
  ): Choice => ({
    ...{ key, label, unit: "rate", threshold: null },
    lines: [
      { key: lines[0], label: labels[0], look: "main" },
      { key: lines[1], label: labels[1], look: "second" },
    ],
  });
  const maybe = (name: string, choice: Choice): Choice[] => (known.has(name) ? [choice] : []);
  const rates: [string, string] = [t("agents.chart.metric.rx"), t("agents.chart.metric.tx")];
  const all = t("servers.charts.all");

  const cpu: Choice = {
    ...{ key: "", label: all, unit: "share", threshold: thresholds.cpu },
    lines: [
      { key: "cpu", label: t("agents.chart.metric.cpu"), look: "main" },
      { key: "cpu_max", label: t("agents.chart.metric.cpu_max"), look: "peak" },
    ],
  };
  const memory: Choice = { ...one("memory", t("agents.resource.memory"), "share", thresholds.memory), key: "" };
  const disk: Choice = { ...one("disk", t("agents.chart.metric.disk"), "share", thresholds.disk), key: "", label: all };
  const network: Choice = { ...two("", all, ["rx", "tx"], rates) };
  const extra = (card: Card, [first, ...more]: Choice[]): ChartCard[] =>
    first ? [{ card, choices: [first, ...more] }] : [];

  return [
    {
      card: "cpu",
      choices: [
        cpu,
        ...maybe("iowait", one("iowait", t("servers.charts.iowait"), "share")),
        ...maybe("steal", one("steal", t("servers.charts.steal"), "share")),
      ],
    },
    { card: "memory", choices: [memory, ...maybe("swap", one("swap", t("agents.resource.swap"), "share"))] },
    {
      card: "disk",
      choices: [
        disk,
        ...partsOf(series, "disk").map((mount) => one(`disk:${mount}`, readableName(mount), "share", thresholds.disk)),
        ...partsOf(series, "inodes").map((mount) =>
          one(`inodes:${mount}`, t("servers.charts.inodes", { mount: readableName(mount) }), "share"),
        ),
      ],
    },
    {
      card: "network",
      choices: [
        network,
        ...partsOf(series, "rx").map((name) =>
          two(`rx:${name}`, readableName(name), [`rx:${name}`, `tx:${name}`], rates),
        ),
      ],
    },
    ...extra("load", maybe("load", one("load", t("agents.column.load"), "number"))),
    ...extra(
      "temperature",
      partsOf(series, "temp").map((sensor) => one(`temp:${sensor}`, readableName(sensor), "celsius")),
    ),
    ...extra(
      "activity",
      partsOf(series, "read").flatMap((device) => {
        const name = readableName(device);
        const labels: [string, string] = [t("servers.devices.read"), t("servers.devices.write")];
        return [
          two(`read:${device}`, name, [`read:${device}`, `write:${device}`], labels),
          ...maybe(`busy:${device}`, one(`busy:${device}`, t("servers.charts.busy", { name }), "share")),
          ...maybe(
            `latency:${device}`,
            one(`latency:${device}`, t("servers.charts.latency", { name }), "milliseconds"),
          ),
        ];
      }),
    ),
  ];
};

/** What a server last reported of a series; null where it does not report it now. */
export const latestOf = (agent: AgentDetail, series: string): number | null => {
  const [kind = "", ...rest] = series.split(":");
  const name = rest.join(":");
  const disk = agent.disks?.find(({ mount }) => mount === name);
  const rates = agent.interfaces?.find((one) => one.name === name);
  const activity = agent.disk_activity?.find(({ device }) => device === name);
  const { swap, load_average, cpu_parts, temperatures } = agent;
  const figures: Record<string, number | null | undefined> = {
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
