import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { isMissing } from "../../api";
import { Empty } from "../../ui/feedback/empty";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { datesIn, usePeriodText } from "../../ui/hooks/use-period-text";
import { usePageTitle } from "../../ui/layout/page-title";
import { sharedAtom } from "./api";
import { ReportView } from "./report-view";

/** The report of a link, for visitors. `id` is the token. */
export default function SharedReportPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(sharedAtom(id));
  const periodText = usePeriodText();
  const period = data && periodText(datesIn(data.report.zone, data.report));
  usePageTitle([data?.name || t("reports.title"), period].filter(Boolean).join(" · "));
  if (isMissing(error))
    return <Empty heading="h1" icon="page" title={t("reports.share.gone")} text={t("reports.share.goneText")} />;
  if (!data)
    return error ? (
      <Failure title={t("reports.failed")} error={error} onRetry={() => void refresh()} />
    ) : (
      <Skeleton heights={["2.25rem", "6.5rem", "16rem"]} />
    );
  return (
    <div className="report stack">
      <header className="page-head">
        <div>
          <p className="soft small">{data.name || t("reports.title")}</p>
          <h1>{period}</h1>
        </div>
        <div className="actions">
          <button type="button" className="plain compact" onClick={() => print()}>
            {t("reports.print")}
          </button>
        </div>
      </header>
      <ReportView report={data.report} linked={false} />
    </div>
  );
}
