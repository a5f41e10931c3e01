import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { isExpiryKind } from "../../../src/shared/certificate";
import { paths } from "../../paths";
import { StatusMark } from "../../ui/feedback/badge";
import { useCheckError } from "../../ui/hooks/use-check-error";
import { hubUnknownAtom } from "../problems/api";
import { outageMark } from "../problems/outage-mark";
import type { Outage } from "./api";
import { Ongoing, Start, type Times, useLasted } from "./start";

type Listed = Pick<Outage, "id" | "kind" | "subject" | "ended_at" | "error_detail" | "maintenance"> & Times;

type Props = { outages: readonly Listed[] /** The target of a report, such as `agent:5`. */; report?: string };

/**
 * The latest outages of a monitor or server, each with a link to its own page, and the report of the last month. Renders
 * nothing while there was none and without a report.
 */
export function OutageList({ outages, report }: Props) {
  const { t } = useTranslation();
  if (outages.length === 0 && !report) return null;
  // Most problems of a server are no outages: it works while a service or an array does not.
  const title = t(report?.startsWith("agent:") ? "outages.latestProblems" : "outages.latest");
  return (
    <section className="card outage-list" aria-label={title}>
      <div className="section-head">
        <h2>{title}</h2>
        {report && (
          <Link href={`${paths.reports}?scope=${report}`} className="small">
            {t("outages.report")}
          </Link>
        )}
      </div>
      {outages.length === 0 && <p className="soft">{t("outages.list.none")}</p>}
      <ol>
        {outages.map((outage) => (
          <OutageRow key={outage.id} outage={outage} />
        ))}
      </ol>
    </section>
  );
}

function OutageRow({ outage }: { outage: Listed }) {
  const { t } = useTranslation();
  const { id, kind, subject, ended_at, maintenance, ...error } = outage;
  const reason = useCheckError()(error);
  const lastedOf = useLasted();
  const lasted = ended_at && lastedOf({ ...outage, ended_at });
  const isUnknown = useAtomValue(hubUnknownAtom) !== null;
  const status = maintenance ? "maintenance" : ended_at ? "paused" : isUnknown ? "unknown" : outageMark(kind);
  const tone = status === "maintenance" || status === "unknown" ? "" : status === "degraded" ? "soon" : "down";
  // Reasons of these kinds need no other word.
  const why =
    (isExpiryKind(kind) || kind === "down") && reason
      ? [reason, maintenance && t("common.status.maintenance")].filter(Boolean).join(" · ")
      : [t(`outages.kinds.${kind}.label`), subject, reason, maintenance && t("common.status.maintenance")]
          .filter(Boolean)
          .join(" · ");
  return (
    <li>
      <StatusMark status={status} label={t(ended_at ? "outages.ended" : "outages.open")} />
      <Link href={paths.outage(id)}>
        <Start outage={outage} short />
      </Link>
      <span className="outage-why">{why}</span>
      {lasted ? (
        <span className="outage-lasted">{lasted}</span>
      ) : (
        <span className={`outage-lasted ${tone}`}>
          <Ongoing outage={outage} />
        </span>
      )}
    </li>
  );
}
