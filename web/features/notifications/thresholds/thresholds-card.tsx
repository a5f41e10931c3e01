import { useAtom, useAtomValue } from "jotai";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { METRICS } from "../../../../src/shared/notifications";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { notificationsAtom } from "../api";
import { metricFields, type Setting } from "../rules/drafts";
import { type Threshold, thresholdsOfAtom } from "./api";
import type { Figures } from "./current";
import { type ShownThreshold, ThresholdTable } from "./threshold-table";

type Props = {
  agentId: number;
  /** The server's own rule. */
  rule?: Setting;
  /** The last figures of the server. */
  figures?: Figures;
};

/** How far below its threshold a figure of a rule counts as recovered. */
const CLEAR_BELOW = 5;

/** The thresholds of a rule that count: of CPU and memory unless replaced, and of the fullest disk that has no threshold of its own. */
const thresholdsOfRule = (rule: Setting, own: readonly Threshold[]): ShownThreshold[] =>
  METRICS.flatMap((metric, index) => {
    const { on, threshold: field } = metricFields[metric];
    const ofMetric = own.filter((one) => one.metric === metric);
    if (!rule.enabled || !rule[on] || ofMetric.some(({ subject }) => !subject)) return [];
    const threshold = rule[field];
    const clear = Math.max(0, threshold - CLEAR_BELOW);
    const ofRule = {
      source: rule.overrideGlobal ? ("own" as const) : ("default" as const),
      except: ofMetric.flatMap(({ subject }) => subject ?? []),
    };
    const all = { scope: "all", tag: null, agent: null, subject: null } as const;
    return [{ ...all, id: -1 - index, metric, threshold, clear, minutes: null, ofRule }];
  });

/** The thresholds that count for one of the viewer's servers, with the way to change them. */
export function ThresholdsCard({ agentId, rule, figures }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const [{ data }] = useAtom(thresholdsOfAtom(agentId));
  const settings = useAtomValue(notificationsAtom).data?.settings;
  if (!data) return null;
  const counting = rule?.overrideGlobal ? rule : settings?.["global-agent"];
  const thresholds: ShownThreshold[] = [
    ...data.thresholds,
    ...(rule && counting ? thresholdsOfRule(counting, data.thresholds) : []),
  ];
  return (
    <section className="card machine-panel" aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{t("servers.thresholds.title")}</h2>
        <Link href={`${paths.notifications}?tab=thresholds&id=${agentId}`} className="button plain compact">
          <Icon name="plus" />
          {t("servers.thresholds.add")}
        </Link>
      </div>
      {thresholds.length > 0 && counting?.enabled === false && (
        <p className="soft small">{t("alerts.thresholds.off")}</p>
      )}
      {thresholds.length > 0 ? (
        <ThresholdTable label={t("servers.thresholds.title")} thresholds={thresholds} figures={figures} />
      ) : (
        <p className="soft small">{t("servers.thresholds.none")}</p>
      )}
      {thresholds.length > 0 && (
        <p className="below-list small">
          <Link href={`${paths.notifications}?tab=thresholds`}>{t("servers.thresholds.toAll")}</Link>
        </p>
      )}
    </section>
  );
}
