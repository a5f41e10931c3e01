import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useRefreshOn } from "../../../lib/resource";
import { useFormat } from "../../../ui/hooks/use-format";
import { useCanChange } from "../../teams/use-can-change";
import type { MonitorDetail } from "../api";
import { type Budget, objectiveAtom } from "./api";
import { ObjectiveDialog } from "./objective-dialog";

/** The uptime objective of a monitor: how much downtime is left, and how fast it is used. */
export function Objective({ monitor }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  const canChange = useCanChange(monitor);
  const [isOpen, setOpen] = useState(false);
  const [{ data }, refresh] = useAtom(objectiveAtom(monitor.id));
  const down = monitor.outages.find(({ ended_at }) => ended_at === null)?.id;
  useRefreshOn(`${monitor.last_checked} ${down}`, refresh);
  if (!data) return null;
  const { objective } = data;
  return (
    <div className="objective" data-state={objective?.state}>
      {objective && <Figures objective={objective} />}
      {!objective && <p className="soft">{t("monitors.objective.none")}</p>}
      {canChange && (
        <button type="button" className="plain compact" onClick={() => setOpen(true)}>
          {t(objective ? "common.action.edit" : "monitors.objective.add")}
        </button>
      )}
      {isOpen && <ObjectiveDialog {...{ monitor, objective }} onSaved={refresh} onClose={() => setOpen(false)} />}
    </div>
  );
}

function Figures({ objective }: { objective: Budget }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { target, period, tag, state, budget_seconds: budget, down_seconds: down, left_seconds: left } = objective;
  const percent = `${format.number(target, 3)}%`;
  return (
    <>
      <h3>
        {t("monitors.objective.title", { target: percent, period: t(`monitors.objective.in.${period}`) })}
        {tag && <small className="soft"> {t("monitors.objective.ofTag", { tag: tag.name })}</small>}
      </h3>
      <progress
        max={budget}
        value={Math.min(down, budget)}
        aria-label={t("monitors.objective.used")}
        aria-valuetext={t(`monitors.objective.states.${state}`)}
      />
      <p>
        <strong>
          {left > 0
            ? t("monitors.objective.left", { left: format.elapsed(left), budget: format.elapsed(budget) })
            : t("monitors.objective.over", { over: format.elapsed(-left), budget: format.elapsed(budget) })}
        </strong>
        <small className="soft">
          {t("monitors.objective.burn", {
            hour: format.number(objective.burn_rate_1h, 1),
            hours: format.number(objective.burn_rate_6h, 1),
          })}
        </small>
      </p>
    </>
  );
}
