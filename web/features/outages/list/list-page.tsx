import { useAtom, useAtomValue, useSetAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useSearch } from "wouter";
import { datesOf, PRESETS, type Preset, type Range, timesOf } from "../../../lib/day-range";
import { nowAtom } from "../../../lib/now";
import { paths } from "../../../paths";
import { DateRange } from "../../../ui/controls/date-range";
import { Segments } from "../../../ui/controls/segments";
import { Empty } from "../../../ui/feedback/empty";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { Stale } from "../../../ui/feedback/stale";
import { useErrorText } from "../../../ui/hooks/use-error-text";
import { useFormat } from "../../../ui/hooks/use-format";
import { NothingMonitored, useNothingMonitored } from "../../problems/nothing-monitored";
import { type Filter, filterIn, type ListedOutage, listAtom, readPage, searchOf, summaryAtom } from "./api";
import { ExportMenu } from "./export-menu";
import { Filters } from "./filters";
import { OutageTable } from "./outage-table";
import { DayStrip, Totals } from "./summary";

/** Loads what the page begins with. */
export const prepare = async (): Promise<void> => {
  const search = searchOf(filterIn(location.search));
  await Promise.all([listAtom(search).prepare(), summaryAtom(search).prepare()]);
};

/** The outages of a range with their totals. The filter is in the address. */
export default function OutagesPage() {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const filter = filterIn(useSearch());
  const change = (part: Partial<Filter>) => {
    const search = searchOf({ ...filter, ...part });
    navigate(paths.outages + (search && `?${search}`), { replace: true });
  };
  const search = searchOf(filter);
  const isBare = useNothingMonitored();
  const isValid = timesOf(filter.range, new Date()) !== undefined;
  if (isBare)
    return (
      <div className="outages stack">
        <header className="page-head">
          <h1>{t("outages.list.title")}</h1>
        </header>
        <NothingMonitored icon="check" text={t("outages.list.bareText")} />
      </div>
    );
  return (
    <div className="outages stack">
      <header className="page-head">
        <div>
          <h1>{t("outages.list.title")}</h1>
          <p className="soft">
            <RangeText range={filter.range} />
          </p>
        </div>
        <div className="actions">
          <RangeChoice range={filter.range} onChange={(range) => change({ range })} />
          <Link href={reportOf(filter)} className="button plain">
            {t("reports.open")}
          </Link>
          {isValid && <ExportMenu filter={filter} />}
        </div>
      </header>
      {isValid ? (
        <>
          <Summary key={`summary ${search}`} search={search} range={filter.range} onChange={change} />
          <Filters filter={filter} onChange={change} />
          <Selected key={`rows ${search}`} search={search} filter={filter} />
        </>
      ) : (
        <p role="alert" className="error-text">
          {t("outages.list.backwards")}
        </p>
      )}
    </div>
  );
}

/** The report of the range of a filter, about its target or its only tag. */
const reportOf = ({ range, target, tags }: Filter): string => {
  const scope = target ?? (tags.length === 1 ? `tag:${tags[0]}` : undefined);
  const dates = datesOf(range, new Date());
  const isLastMonth = "preset" in range && range.preset === "lastMonth";
  return `${paths.reports}?${new URLSearchParams({ ...(!isLastMonth && dates), ...(scope && { scope }) })}`;
};

function RangeText({ range }: { range: Range }) {
  const format = useFormat();
  const now = useAtomValue(nowAtom);
  const { from, to } = datesOf(range, new Date(now));
  return format.days(`${from}T12:00:00`, `${to}T12:00:00`);
}

type RangeProps = { range: Range; onChange: (range: Range) => void };

/** The presets, and two dates for any other range. */
function RangeChoice({ range, onChange }: RangeProps) {
  const { t } = useTranslation();
  const isCustom = !("preset" in range);
  const { from, to } = datesOf(range, new Date());
  const choices = [
    ...PRESETS.map((value) => ({ value, label: t(`outages.list.ranges.${value}`) })),
    { value: "custom" as const, label: t("range.custom") },
  ];
  const choose = (value: Preset | "custom") => onChange(value === "custom" ? { from, to } : { preset: value });
  return (
    <>
      <Segments
        label={t("outages.list.range")}
        choices={choices}
        chosen={isCustom ? "custom" : range.preset}
        onChoose={choose}
      />
      {isCustom && <DateRange from={from} to={to} onChange={onChange} />}
    </>
  );
}

type SummaryProps = { search: string; range: Range; onChange: (part: Partial<Filter>) => void };

/** The totals and the days of a filter. */
function Summary({ search, range, onChange }: SummaryProps) {
  const { data, error } = useAtomValue(summaryAtom(search));
  // The list below it shows the error.
  if (!data) return error ? null : <Skeleton heights={["5.5rem"]} />;
  return (
    <div className="card outages-summary">
      <Totals summary={data} />
      <DayStrip
        days={data.days}
        chosen={"preset" in range || range.from !== range.to ? undefined : range.from}
        onChoose={(date) => onChange({ range: { from: date, to: date } })}
      />
    </div>
  );
}

/** The rows of a filter. */
function Selected({ search, filter }: { search: string; filter: Filter }) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(listAtom(search));
  const refreshSummary = useSetAtom(summaryAtom(search));
  const retry = () => {
    void refresh();
    void refreshSummary();
  };
  if (!data) {
    return error ? (
      <Failure title={t("outages.list.failed")} error={error} onRetry={retry} />
    ) : (
      <Skeleton heights={["16rem"]} />
    );
  }
  const isEmpty = data.open.length + data.ended.length === 0;
  const isFiltered =
    filter.group !== "all" || filter.tags.length > 0 || filter.target || filter.channel || filter.unacknowledged;
  return (
    <>
      <Stale error={error} onRetry={retry} />
      {isEmpty ? (
        <Empty
          heading="h2"
          icon="check"
          title={t(isFiltered ? "outages.list.noMatch" : "outages.list.none")}
          text={t(isFiltered ? "outages.list.noMatchText" : "outages.list.noneText")}
        />
      ) : (
        <Rows data={data} filter={filter} />
      )}
    </>
  );
}

type Loaded = { open: ListedOutage[]; isMoreOpen: boolean; ended: ListedOutage[]; next: number | null };

/** Open outages, then ended ones with further pages. */
function Rows({ data, filter }: { data: Loaded; filter: Filter }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [more, setMore] = useState<{ outages: ListedOutage[]; next: number | null }>();
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const next = more ? more.next : data.next;
  const shown = new Set(data.ended.map(({ id }) => id));
  const further = more?.outages.filter(({ id }) => !shown.has(id)) ?? [];
  const load = async (before: number) => {
    setState({ busy: true });
    try {
      const page = await readPage(filter, before);
      setMore({ outages: [...(more?.outages ?? []), ...page.outages], next: page.next });
      setState({ busy: false });
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return (
    <>
      {data.isMoreOpen && <p className="soft">{t("outages.list.moreOpen", { count: data.open.length })}</p>}
      <OutageTable outages={[...data.open, ...data.ended, ...further]} />
      {state.error !== undefined && <p role="alert">{errorText(state.error, t("outages.list.failed"))}</p>}
      {next !== null && (
        <div className="actions">
          <button type="button" className="plain" disabled={state.busy} onClick={() => void load(next)}>
            {t("outages.list.more")}
          </button>
        </div>
      )}
    </>
  );
}
