import i18next from "i18next";
import { getDefaultStore, useAtom } from "jotai";
import { type ReactNode, Suspense, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { DAY } from "../../../../../src/shared/limits";
import { hubNow } from "../../../../lib/now";
import { later, preload } from "../../../../lib/offline/code";
import { useRefreshOn } from "../../../../lib/resource";
import { withGaps } from "../../../../lib/series";
import { choiceAtom } from "../../../../lib/storage";
import { type Band, bandsOf, useChartGaps } from "../../../../ui/charts/chart-gaps";
import { type Covered, coveredBy, isSpan, windowOf } from "../../../../ui/charts/chart-range";
import type { OnSelect } from "../../../../ui/charts/drag";
import { RangeChoice } from "../../../../ui/charts/range-choice";
import { Bar } from "../../../../ui/charts/resource-bar";
import { useChartRange } from "../../../../ui/charts/use-chart-range";
import { IconButton } from "../../../../ui/controls/icon-button";
import { ErrorBoundary } from "../../../../ui/feedback/error-boundary";
import { useFormat } from "../../../../ui/hooks/use-format";
import { metricsAtom, metricsKey, type Range, ranges, type ServerDetail } from "../../api";
import { useResourceTexts } from "../../resources";
import { type Card, type ChartCard, type Choice, chartsOf, isBase, latestOf } from "./choices";
import type { Offline } from "./metric-chart";
import { peakOf, type Row } from "./rows";
import { useUnit } from "./use-unit";

const NONE: readonly string[] = [];
const NO_GAPS: readonly Band[] = [];

/** Names of figures without a history. */
const MAX_NAMES = 6;

const rangeAtom = choiceAtom("agents.range", ranges, "1h");

const MetricChart = later(() => import("./metric-chart"));

/** The periods without reports. */
const offlineOf = (outages: ServerDetail["outages"]): Offline[] =>
  outages
    .filter(({ kind }) => kind === "offline")
    .map(({ started_at, ended_at }) => ({
      from: Date.parse(started_at),
      to: ended_at === null ? undefined : Date.parse(ended_at),
    }));

/** How long further series are kept. */
const SERIES_KEPT = 30 * DAY;

/** Whether a chart has further series: only the five figures of every agent are kept for a year. */
const hasSeries = (covered: Covered<Range>): boolean =>
  isSpan(covered) ? covered.from >= hubNow() - SERIES_KEPT : covered !== "1y";

/** The metrics of a server with further series. The previous ones stay while others load. */
const useMetrics = ({ id, updated_at, unknown }: ServerDetail, covered: Covered<Range>, names: readonly string[]) => {
  const [{ data, error }, refresh] = useAtom(metricsAtom(metricsKey(id, covered, names)));
  useRefreshOn(`${updated_at} ${unknown?.since}`, refresh);
  const last = useRef<{ id: number; data: typeof data }>({ id, data });
  if (data || last.current.id !== id) last.current = { id, data };
  return { metrics: data ?? (error === undefined ? last.current.data : undefined), error };
};

/** Names of the further series that charts need. */
const furtherOf = (choices: readonly Choice[]): string[] =>
  choices.flatMap((choice) => (isBase(choice) ? [] : choice.lines.map(({ key }) => key)));

const seriesOf = (agent: ServerDetail, covered: Covered<Range>) => (hasSeries(covered) ? agent.series : NONE);

/** Loads the charts that the page of a server begins with, and their data. */
export const prepareCharts = async (agent: ServerDetail): Promise<void> => {
  const covered = coveredBy(new URLSearchParams(location.search), getDefaultStore().get(rangeAtom));
  const cards = chartsOf(seriesOf(agent, covered), agent, i18next.t);
  const names = furtherOf(cards.map(({ choices }) => choices[0]));
  await Promise.all([preload(MetricChart), metricsAtom(metricsKey(agent.id, covered, names)).prepare()]);
};

/** The charts of a server with what is chosen in each, and the rows to draw. */
const useCharts = (agent: ServerDetail, covered: Covered<Range>) => {
  const { t } = useTranslation();
  const { interval, thresholds, own_thresholds, processors } = agent;
  const [chosen, setChosen] = useState<Partial<Record<Card, string>>>({});
  const series = seriesOf(agent, covered);
  const cards = useMemo(
    () => chartsOf(series, { thresholds, own_thresholds, processors }, t),
    [series, thresholds, own_thresholds, processors, t],
  );
  const charts = cards.map((card) => ({
    ...card,
    choice: card.choices.find(({ key }) => key === chosen[card.card]) ?? card.choices[0],
  }));
  const wanted = furtherOf(charts.map(({ choice }) => choice));
  const { metrics, error } = useMetrics(agent, covered, wanted);
  const rows = useMemo(() => {
    // A report may be late by seconds, so only two missing reports in a row are a gap.
    const tolerance = (interval ?? 0) * 2500;
    return metrics && { base: withGaps(metrics.points, tolerance), further: withGaps(metrics.further, tolerance) };
  }, [metrics, interval]);
  const window = useMemo(() => windowOf(covered, rows?.base ?? [], hubNow()), [covered, rows]);
  const rowsOf = (choice: Choice): readonly Row[] | undefined => {
    if (isBase(choice)) return rows?.base;
    return choice.lines.every(({ key }) => metrics?.names.includes(key)) ? rows?.further : undefined;
  };
  const gaps = useMemo(() => (metrics ? bandsOf(metrics.gaps, metrics.maintenance) : NO_GAPS), [metrics]);
  const choose = (card: Card, key: string) => setChosen((before) => ({ ...before, [card]: key }));
  return { shown: charts, rowsOf, choose, window, points: metrics?.points, gaps, error };
};

/** The figures that are kept of every server: their charts are in one row where there is room. */
const FIRST_CARDS = 4;

type PanelProps = {
  agent: ServerDetail;
  /** Between the charts of every server and the further ones. `head` is a place beside the title. */
  children: (head: HTMLElement) => ReactNode;
};

/** The last figure of each resource with its chart. One chart can be enlarged. */
export function MetricsPanel({ agent, children }: PanelProps) {
  const { t } = useTranslation();
  const { outages, status, unknown } = agent;
  const chosen = useChartRange(...useAtom(rangeAtom));
  const { shown, rowsOf, choose, window, points, gaps, error } = useCharts(agent, chosen.covered);
  const [large, setLarge] = useState<Card>();
  const { problem } = useResourceTexts(agent);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const { total: unknownTime } = useChartGaps(gaps, window);
  const offline = useMemo(() => offlineOf(outages), [outages]);
  const note = (text: string) => <p className="soft small charts-note">{text}</p>;
  const unrecorded = (names: readonly string[]) =>
    t("servers.charts.unrecorded", {
      count: names.length,
      number: names.length,
      names: `${names.slice(0, MAX_NAMES).join(", ")}${names.length > MAX_NAMES ? ", …" : ""}`,
    });
  const sections = (charts: typeof shown, className: string) =>
    charts.length > 0 && (
      <div className={charts.some(({ card }) => card === large) ? `${className} one-large` : className}>
        {charts.map((chart) => (
          <ChartSection
            key={chart.card}
            {...{ agent, window, offline, gaps, chart }}
            rows={rowsOf(chart.choice)}
            isLarge={chart.card === large}
            onLarge={(on) => setLarge(on ? chart.card : undefined)}
            onChoose={(key) => choose(chart.card, key)}
            onSelect={chosen.onSelect}
          />
        ))}
      </div>
    );

  return (
    <section className={`metrics ${unknown ? "unknown" : status}`}>
      <div className="chart-head">
        <h2>{t("agents.detail.resources")}</h2>
        <span className="head-notes soft small">
          <span ref={setSlot} />
          {unknownTime}
        </span>
        <RangeChoice {...{ ranges, chosen, window }} />
      </div>
      {problem && <p className="soft small no-resources">{t(`agents.noResources.${problem}`)}</p>}
      <ErrorBoundary fallback={() => note(t("agents.chart.failed"))}>
        {sections(shown.slice(0, FIRST_CARDS), "charts")}
        {slot && children(slot)}
        {sections(shown.slice(FIRST_CARDS), "charts further-charts")}
      </ErrorBoundary>
      {agent.unrecorded.length > 0 && note(unrecorded(agent.unrecorded))}
      {!points && error !== undefined && note(t("agents.chart.failed"))}
      {points?.length === 0 && note(t("agents.chart.none"))}
    </section>
  );
}

type SectionProps = {
  agent: ServerDetail;
  window: [number, number];
  offline: readonly Offline[];
  gaps: readonly Band[];
  chart: ChartCard & { choice: Choice };
  rows: readonly Row[] | undefined;
  isLarge: boolean;
  onLarge: (on: boolean) => void;
  onChoose: (key: string) => void;
  onSelect: OnSelect;
};

function ChartSection(props: SectionProps) {
  const { agent, window, offline, gaps, chart, rows, isLarge, onLarge, onChoose, onSelect } = props;
  const { t } = useTranslation();
  const { card, choice } = chart;
  const title = t(`servers.charts.title.${card}`);
  const drawn = rows && rows.length > 0 ? rows : undefined;
  return (
    <section className={isLarge ? "card metric-chart large" : "card metric-chart"}>
      <ChartHead {...{ agent, chart, title, onChoose }} peak={drawn ? peakOf(drawn, choice.lines) : null}>
        {drawn && <Enlarge title={title} isLarge={isLarge} onChange={onLarge} />}
      </ChartHead>
      {drawn && (
        <Suspense fallback={<div className="chart-box" />}>
          <MetricChart
            {...{ choice, window, offline, gaps, onSelect }}
            rows={drawn}
            title={isBase(choice) ? title : `${title}: ${choice.label}`}
            large={isLarge}
          />
        </Suspense>
      )}
    </section>
  );
}

type HeadProps = Pick<SectionProps, "agent" | "chart" | "onChoose"> & {
  title: string;
  peak: number | null;
  children: ReactNode;
};

/** The name of a resource, what is shown of it, its last figure as a text and a bar, its peak, and the button that enlarges its chart. */
function ChartHead({ agent, chart: { card, choices, choice }, title, peak, onChoose, children }: HeadProps) {
  const { t } = useTranslation();
  const { texts, percents } = useResourceTexts(agent);
  const write = useUnit(choice.unit);
  const latest = choice.lines.map(({ key }) => latestOf(agent, key));
  const isResource = card === "cpu" || card === "memory" || card === "disk" || card === "network";
  const base = isResource && isBase(choice) ? { text: texts[card], percent: percents[card] } : undefined;
  const [first = null, second = null] = latest;
  const [one, other] = [write(first), write(second)];
  const own =
    latest.length === 1
      ? one
      : card === "activity"
        ? t("servers.charts.transfer", { read: one, written: other })
        : t("agents.rates", { received: one, sent: other });
  const lost = useLostTime(agent);
  const text = [base?.text ?? own, ...(base && card === "cpu" ? lost : [])].join(" · ");
  const percent = base?.percent ?? (choice.unit === "share" ? (first ?? 0) : undefined);
  return (
    <header>
      <h3>{title}</h3>
      {choices.length > 1 && (
        <select
          className="compact"
          aria-label={t("servers.charts.choose", { name: title })}
          value={choice.key}
          onChange={(event) => onChoose(event.target.value)}
        >
          {choices.map(({ key, label }) => (
            <option key={key} value={key}>
              {card === "temperature" ? `${label} · ${write(latestOf(agent, key))}` : label}
            </option>
          ))}
        </select>
      )}
      <p className="values">
        <span className="figure truncate" title={text}>
          {text}
        </span>
        {peak !== null && <span>{t("agents.chart.peak", { peak: write(peak) })}</span>}
      </p>
      {children}
      {percent !== undefined && <Bar label={title} percent={percent} text={text} neutral={card === "network"} />}
    </header>
  );
}

/** From this share on, lost time is beside the usage of the CPU. */
const MUCH_LOST = 5;

/** High shares of time when the CPU waited for disks, or ran other virtual machines. */
const useLostTime = ({ cpu_parts }: ServerDetail): string[] => {
  const { t } = useTranslation();
  const format = useFormat();
  const { iowait = 0, steal = 0 } = cpu_parts ?? {};
  return [
    ...(iowait >= MUCH_LOST ? [t("servers.charts.waiting", { share: format.share(iowait) })] : []),
    ...(steal >= MUCH_LOST ? [t("servers.charts.stolen", { share: format.share(steal) })] : []),
  ];
};

type EnlargeProps = { title: string; isLarge: boolean; onChange: (on: boolean) => void };

function Enlarge({ title, isLarge, onChange }: EnlargeProps) {
  const { t } = useTranslation();
  return (
    <IconButton
      icon={isLarge ? "shrink" : "enlarge"}
      label={t("common.labelled", { label: t("agents.chart.enlarge"), value: title })}
      aria-pressed={isLarge}
      onClick={() => onChange(!isLarge)}
    />
  );
}
