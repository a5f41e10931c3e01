import { useTranslation } from "react-i18next";
import { StatusMark } from "../../../ui/feedback/badge";
import { Elapsed } from "../../../ui/feedback/elapsed";
import { useCheckError } from "../../../ui/hooks/use-check-error";
import { useFormat } from "../../../ui/hooks/use-format";
import { ExplainedMark } from "../../notifications/dependencies/explained-mark";
import { useSince } from "../../outages/start";
import { OutageActions } from "../../problems/acknowledge";
import { ProbableCause } from "../../problems/cause";
import type { MonitorDetail } from "../api";
import { kindOf } from "../form/kinds/registry";
import { shownOutage } from "./shown-outage";

/** Why a monitor is down or slow, with the start and the duration; nothing if it is neither. */
export function OpenProblem({ monitor, onChanged }: { monitor: MonitorDetail; onChanged: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const checkError = useCheckError();
  const sinceOf = useSince();
  const { status, since, checks } = monitor;
  if ((status !== "down" && status !== "degraded") || since === null) return null;
  const outage = shownOutage(monitor);
  const kind = status === "down" ? "down" : "slow";
  const latest = (kind === "down" && checks.find((check) => check.status === "down")) || monitor;
  const [first, last] = [outage ? checkError(outage) : "", checkError(latest)];
  const failed = outage?.checks_failed ?? 0;
  const counted = kindOf(monitor.kind).passive ? "monitors.detail.failedPings" : "monitors.detail.failedChecks";
  const more = [
    outage ? sinceOf(outage) : t("problems.since", { time: format.moment(since) }),
    ...(failed > 0 ? [t(counted, { count: failed, number: format.number(failed) })] : []),
    ...(first && first !== last ? [t("monitors.detail.startedAs", { reason: first })] : []),
  ];
  return (
    <section
      className={`problems ${monitor.unknown ? "unknown" : monitor.maintenance ? "held" : kind === "down" ? "down" : "soon"} monitor-problem`}
      aria-label={t("problems.title")}
    >
      <p>
        <StatusMark status={status} label={t(`outages.kinds.${kind}.label`)} />{" "}
        <strong>{last || t(`outages.kinds.${kind}.label`)}</strong>{" "}
        <span className="lasting">
          {monitor.unknown ? (
            t(kind === "down" ? "problems.seenDown" : "problems.seen", {
              time: format.moment(monitor.last_checked ?? monitor.unknown.since),
            })
          ) : (
            <>
              {t("problems.for")} <Elapsed since={since} />
            </>
          )}
        </span>{" "}
        <span className="soft">{more.join(" · ")}</span>
        {outage?.explaining && " "}
        <ExplainedMark by={outage?.explaining} />
      </p>
      {outage && !outage.explaining && <ProbableCause cause={outage.cause} monitor={monitor} onChanged={onChanged} />}
      {outage && <OutageActions outage={outage} isInHead onChanged={onChanged} />}
    </section>
  );
}
