import { atom, useAtom, useAtomValue } from "jotai";
import { useId, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import { isMissing } from "../../api";
import { saveFile } from "../../lib/copy";
import { datesOf, shiftDates, timesOf } from "../../lib/day-range";
import { paths } from "../../paths";
import { DateRange } from "../../ui/controls/date-range";
import { Icon } from "../../ui/controls/icon";
import { IconButton } from "../../ui/controls/icon-button";
import { Segments } from "../../ui/controls/segments";
import { Empty } from "../../ui/feedback/empty";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { Stale } from "../../ui/feedback/stale";
import { toast } from "../../ui/feedback/toast";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { usePeriodText } from "../../ui/hooks/use-period-text";
import { usePageTitle } from "../../ui/layout/page-title";
import { NothingMonitored, useNothingMonitored } from "../problems/nothing-monitored";
import {
  type Filter,
  filterIn,
  hasPeriod,
  PERIODS,
  type Report,
  readExport,
  reportAtom,
  schedulesAtom,
  searchIn,
  searchOf,
} from "./api";
import { ReportView } from "./report-view";
import { Schedules } from "./schedules/schedules";
import { ScopePicker, ScopeText } from "./scope-picker";
import { ShareDialog } from "./share-dialog";

type Props = { filter: Filter; onChange: (part: Partial<Filter>) => void };

/** Stands for a report that is not read. */
const unreadAtom = atom<{ data?: Report | undefined }>({});

/** The filter in an address. Without a period there, it is this month if nothing was watched in the last one. */
const useFilter = (search: string): Filter => {
  const asked = filterIn(search);
  const { data } = useAtomValue(hasPeriod(search) ? unreadAtom : reportAtom(searchOf(asked)));
  return data?.targets.watched === 0 ? { ...asked, range: { preset: "month" } } : asked;
};

/** The report of a period. The period, what it is about and the target are in the address. */
export default function ReportsPage() {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const isBare = useNothingMonitored();
  const hasSchedules = (useAtomValue(schedulesAtom).data ?? []).length > 0;
  const filter = useFilter(useSearch());
  const periodText = usePeriodText();
  const dates = datesOf(filter.range, new Date());
  usePageTitle(`${t("reports.title")} · ${periodText(dates)}`);
  const change = (part: Partial<Filter>) => {
    const search = searchIn({ ...filter, ...part });
    navigate(paths.reports + (search && `?${search}`), { replace: true });
  };
  const isValid = timesOf(filter.range, new Date()) !== undefined;
  if (isBare)
    return (
      <div className="report stack">
        <header className="page-head">
          <h1>{t("reports.title")}</h1>
        </header>
        <NothingMonitored icon="chart" text={t("reports.bareText")} />
        {hasSchedules && <Schedules filter={filter} />}
      </div>
    );
  return (
    <div className="report stack">
      <header className="page-head">
        <div>
          <p className="soft small">
            {t("reports.title")} · <ScopeText scope={filter.scope} />
          </p>
          <div className="report-period">
            <h1>{periodText(dates)}</h1>
            {isValid && <Arrows filter={filter} onChange={change} />}
          </div>
        </div>
        <div className="actions">
          <PeriodChoice filter={filter} onChange={change} />
          {isValid && <Actions filter={filter} />}
        </div>
      </header>
      <Choices filter={filter} onChange={change} />
      {isValid ? (
        <Loaded search={searchOf(filter)} />
      ) : (
        <p role="alert" className="error-text">
          {t("reports.backwards")}
        </p>
      )}
      <Schedules filter={filter} />
    </div>
  );
}

/** Buttons for the periods before and after. */
function Arrows({ filter, onChange }: Props) {
  const { t } = useTranslation();
  const periodText = usePeriodText();
  const dates = datesOf(filter.range, new Date());
  return ([-1, 1] as const).map((by) => {
    const range = shiftDates(dates, by);
    const label = t(by < 0 ? "reports.earlier" : "reports.later", { period: periodText(range) });
    return <IconButton key={by} icon={by < 0 ? "left" : "right"} label={label} onClick={() => onChange({ range })} />;
  });
}

function Actions({ filter }: Pick<Props, "filter">) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const [busy, start] = useTransition();
  const [isSharing, setSharing] = useState(false);
  const { data } = useAtomValue(reportAtom(searchOf(filter)));
  const save = () =>
    start(async () => {
      try {
        saveFile("report.csv", await readExport(filter), "text/csv");
      } catch (error) {
        toast(failureText(t("reports.csvFailed"), error), { tone: "bad" });
      }
    });
  if (data?.targets.total === 0) return null;
  return (
    <>
      <button type="button" onClick={() => setSharing(true)}>
        {t("reports.share.action")}
      </button>
      <button type="button" className="plain" onClick={() => print()}>
        {t("reports.print")}
      </button>
      <button type="button" className="plain" disabled={busy} onClick={save}>
        <Icon name="download" />
        {t("reports.csv")}
      </button>
      {isSharing && <ShareDialog filter={filter} onClose={() => setSharing(false)} />}
    </>
  );
}

/** Targets that are offered. */
const TARGETS = [99, 99.5, 99.9, 99.95, 99.99, 100];

/** The presets, and two dates for any other period. */
function PeriodChoice({ filter: { range }, onChange }: Props) {
  const { t } = useTranslation();
  const isCustom = !("preset" in range);
  const dates = datesOf(range, new Date());
  const choices = [
    ...PERIODS.map((value) => ({ value, label: t(`reports.ranges.${value}`) })),
    { value: "custom" as const, label: t("range.custom") },
  ];
  const chosen = isCustom ? "custom" : PERIODS.find((name) => name === range.preset);
  return (
    <>
      <Segments
        label={t("reports.period")}
        choices={choices}
        chosen={chosen ?? "custom"}
        onChoose={(value) => onChange({ range: value === "custom" ? dates : { preset: value } })}
      />
      {isCustom && <DateRange {...dates} onChange={(next) => onChange({ range: next })} />}
    </>
  );
}

/** The scope of the report, and the uptime that it is compared with. */
function Choices({ filter: { scope, target }, onChange }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const targets = target === null || TARGETS.includes(target) ? TARGETS : [...TARGETS, target].sort((a, b) => a - b);
  return (
    <div className="toolbar report-choices">
      <ScopePicker scope={scope} onChange={(next) => onChange({ scope: next })} />
      <label className="soft small" htmlFor={id}>
        {t("reports.target.label")}
      </label>
      <select
        id={id}
        value={target ?? ""}
        onChange={({ target: { value } }) => onChange({ target: value === "" ? null : Number(value) })}
      >
        <option value="">{t("reports.target.none")}</option>
        {targets.map((value) => (
          <option key={value} value={value}>
            {`${format.number(value, 3)}%`}
          </option>
        ))}
      </select>
    </div>
  );
}

function Loaded({ search }: { search: string }) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(reportAtom(search));
  const retry = () => void refresh();
  if (data)
    return (
      <>
        <Stale error={error} onRetry={retry} />
        <ReportView report={data} linked />
      </>
    );
  if (isMissing(error))
    return <Empty heading="h2" icon="page" title={t("reports.missing")} text={t("reports.missingText")} />;
  if (error) return <Failure title={t("reports.failed")} error={error} onRetry={retry} />;
  return <Skeleton heights={["6.5rem", "16rem", "12rem"]} />;
}
