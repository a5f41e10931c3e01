import { useAtom } from "jotai";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { thresholdsOfAtom } from "./api";
import { ThresholdTable } from "./threshold-table";

/** The thresholds that count for one of the viewer's servers, with the way to change them. */
export function ThresholdsCard({ agentId }: { agentId: number }) {
  const { t } = useTranslation();
  const id = useId();
  const [{ data }] = useAtom(thresholdsOfAtom(agentId));
  if (!data) return null;
  const { thresholds } = data;
  return (
    <section className="card machine-panel" aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{t("servers.thresholds.title")}</h2>
      </div>
      {thresholds.length > 0 ? (
        <ThresholdTable label={t("servers.thresholds.title")} thresholds={thresholds} />
      ) : (
        <p className="soft small">{t("servers.thresholds.none")}</p>
      )}
      <p className="below-list actions">
        <Link href={`${paths.notifications}?tab=thresholds&id=${agentId}`} className="button plain compact">
          {t("servers.thresholds.add")}
        </Link>
        {thresholds.length > 0 && (
          <Link href={`${paths.notifications}?tab=thresholds`}>{t("servers.thresholds.toAll")}</Link>
        )}
      </p>
    </section>
  );
}
