import { useAtom } from "jotai";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useRefreshOn } from "../../../lib/resource";
import { withGaps } from "../../../lib/series";
import { choiceAtom } from "../../../lib/storage";
import { Bar } from "../../../ui/charts/resource-bar";
import { Icon } from "../../../ui/controls/icon";
import { Segments } from "../../../ui/controls/segments";
import { ErrorBoundary } from "../../../ui/feedback/error-boundary";
import { type AgentDetail, metricsAtom, ranges } from "../api";
import { useResourceTexts } from "../resources";

const charts = ["cpu", "memory", "disk", "network"] as const;
export type Chart = (typeof charts)[number];

const rangeAtom = choiceAtom("agents.range", ranges, "1h");

const MetricChart = lazy(() => import("./metric-chart"));

/** The periods in which the hub got no reports. */
const offlineOf = (outages: AgentDetail["outages"]) =>
  outages
    .filter(({ kind }) => kind === "offline")
    .map(({ started_at, ended_at }) => ({
      from: Date.parse(started_at),
      to: ended_at === null ? undefined : Date.parse(ended_at),
    }));

/** The last figure of each resource with its chart, one of which can be enlarged. */
export function MetricsPanel({ agent }: { agent: AgentDetail }) {
  const { t } = useTranslation();
  const { id, interval, updated_at, outages, thresholds, status } = agent;
  const [range, setRange] = useAtom(rangeAtom);
  const [{ data, error }, refresh] = useAtom(metricsAtom(`${id}/${range}`));
  useRefreshOn(updated_at, refresh);
  const [large, setLarge] = useState<Chart>();
  const { problem, texts, percents } = useResourceTexts(agent);
  const points = data?.points;
  // A report may be late by seconds, so only two missing reports in a row are a gap.
  const rows = useMemo(() => points && withGaps(points, (interval ?? 0) * 2500), [points, interval]);
  const offline = useMemo(() => offlineOf(outages), [outages]);
  const drawn = rows && rows.length > 0 ? rows : undefined;
  const note = (text: string) => <p className="soft small charts-note">{text}</p>;

  return (
    <section className={`metrics ${status}`}>
      <div className="chart-head">
        <h2>{t("agents.detail.resources")}</h2>
        <Segments
          label={t("common.range.label")}
          choices={ranges.map((value) => ({ value, label: t(`common.range.${value}`) }))}
          chosen={range}
          onChoose={setRange}
        />
      </div>
      {problem && <p className="soft small no-resources">{t(`agents.noResources.${problem}`)}</p>}
      <ErrorBoundary fallback={() => note(t("agents.chart.failed"))}>
        <div className={large ? "charts one-large" : "charts"}>
          {charts.map((chart) => (
            <section key={chart} className={chart === large ? "card metric-chart large" : "card metric-chart"}>
              <MetricHead chart={chart} percent={percents[chart]} text={texts[chart]}>
                {drawn && (
                  <Enlarge
                    chart={chart}
                    isLarge={chart === large}
                    onChange={(on) => setLarge(on ? chart : undefined)}
                  />
                )}
              </MetricHead>
              {drawn && (
                <Suspense fallback={<div className="chart-box" />}>
                  <MetricChart
                    {...{ chart, range, offline }}
                    rows={drawn}
                    threshold={chart === "network" ? null : thresholds[chart]}
                    large={chart === large}
                  />
                </Suspense>
              )}
            </section>
          ))}
        </div>
      </ErrorBoundary>
      {!points && error !== undefined && note(t("agents.chart.failed"))}
      {points?.length === 0 && note(t("agents.chart.none"))}
    </section>
  );
}

type HeadProps = { chart: Chart; percent: number; text: string; children: React.ReactNode };

/** The name of a resource, its last figure as a bar and a text, and the button that enlarges its chart. */
function MetricHead({ chart, percent, text, children }: HeadProps) {
  const { t } = useTranslation();
  const name = t(`agents.resource.${chart}`);
  return (
    <header>
      <h3>{name}</h3>
      <span className="figure">{text}</span>
      {children}
      <Bar label={name} percent={percent} text={text} neutral={chart === "network"} />
    </header>
  );
}

type EnlargeProps = { chart: Chart; isLarge: boolean; onChange: (on: boolean) => void };

function Enlarge({ chart, isLarge, onChange }: EnlargeProps) {
  const { t } = useTranslation();
  const label = t("common.labelled", { label: t("agents.chart.enlarge"), value: t(`agents.resource.${chart}`) });
  return (
    <button
      type="button"
      className="quiet compact icon-only"
      aria-pressed={isLarge}
      aria-label={label}
      title={label}
      onClick={() => onChange(!isLarge)}
    >
      <Icon name={isLarge ? "shrink" : "enlarge"} />
    </button>
  );
}
