import { useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  errorBudget,
  OBJECTIVE_BOUNDS,
  OBJECTIVE_PERIODS,
  type ObjectivePeriod,
  periodAt,
} from "../../../../src/shared/outages/objectives";
import { text } from "../../../lib/form";
import { hubNow } from "../../../lib/now";
import { Field } from "../../../ui/controls/field";
import { Switch } from "../../../ui/controls/switch";
import { FormDialog } from "../../../ui/feedback/form-dialog";
import { useFormat } from "../../../ui/hooks/use-format";
import { useSubmit } from "../../../ui/hooks/use-submit";
import { tagsAtom } from "../../tags/api";
import type { MonitorDetail } from "../api";
import { type Budget, removeObjective, removeTagObjective, setObjective, setTagObjective } from "./api";

type Props = {
  monitor: MonitorDetail;
  objective: Budget | null;
  onSaved: () => void;
  onClose: () => void;
};

const FIRST_TARGET = 99.9;
const FIRST_PERIOD: ObjectivePeriod = "30d";

/** The id of the tag that is chosen; null for the monitor alone. */
const tagIn = (fields: FormData): number | null => Number(text(fields, "tag")) || null;

/** Sets or removes the objective of a monitor, or of all monitors with one of its tags. */
export function ObjectiveDialog({ monitor, objective, onSaved, onClose }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const form = useSubmit(t("monitors.objective.saveFailed"));
  const names = monitor.tags.map(({ name }) => name);
  const tags = (useAtomValue(tagsAtom).data?.tags ?? []).filter(({ name }) => names.includes(name));
  const first = objective?.target ?? FIRST_TARGET;
  const [target, setTarget] = useState(first);
  const [period, setPeriod] = useState(objective?.period ?? FIRST_PERIOD);
  const [alerts, setAlerts] = useState(objective?.alerts ?? true);
  const { lowest, highest } = OBJECTIVE_BOUNDS;
  const { from, to } = periodAt(period, objective?.zone ?? "UTC", hubNow());
  const isAllowed = target >= lowest && target <= highest;
  const saved = () => {
    onSaved();
    onClose();
  };
  const onValid = (fields: FormData) =>
    form.submit(async () => {
      const body = { target, period, alerts };
      const tag = tagIn(fields);
      if (tag === null) await setObjective(monitor.id, body);
      else await setTagObjective(tag, body);
      saved();
    });
  const remove = () =>
    form.submit(async () => {
      if (objective?.tag) await removeTagObjective(objective.tag.id);
      else await removeObjective(monitor.id);
      saved();
    });
  const removal = objective && (
    <button type="button" className="plain first" disabled={form.busy} onClick={remove}>
      {objective.tag
        ? t("monitors.objective.removeOfTag", { tag: objective.tag.name })
        : t("monitors.objective.remove")}
    </button>
  );

  return (
    <FormDialog
      title={t(objective ? "monitors.objective.editTitle" : "monitors.objective.add")}
      of={form}
      focus="[name=target]"
      first={removal}
      {...{ onValid, onClose }}
    >
      <div className="form-row">
        <Field
          label={t("monitors.objective.target")}
          hint={
            isAllowed
              ? t("monitors.objective.allows", {
                  down: format.elapsed(Math.round(errorBudget(target, to - from) / 1000)),
                  period: t(`monitors.objective.in.${period}`),
                })
              : t("monitors.objective.bounds", { lowest: format.number(lowest), highest: format.number(highest, 3) })
          }
          error={form.wrong("target")}
        >
          <input
            {...{ type: "number", step: "any", inputMode: "decimal", min: lowest, max: highest }}
            name="target"
            required
            defaultValue={first}
            onChange={(event) => setTarget(event.target.valueAsNumber)}
          />
        </Field>
        <Field label={t("monitors.objective.period")} error={form.wrong("period")}>
          <select name="period" value={period} onChange={(event) => setPeriod(event.target.value as ObjectivePeriod)}>
            {OBJECTIVE_PERIODS.map((value) => (
              <option key={value} value={value}>
                {t(`monitors.objective.periods.${value}`)}
              </option>
            ))}
          </select>
        </Field>
      </div>
      {tags.length > 0 && (
        <Field label={t("monitors.objective.scope")}>
          <select name="tag" defaultValue={objective?.tag?.id ?? ""}>
            <option value="">{t("monitors.objective.thisMonitor")}</option>
            {tags.map(({ id, name }) => (
              <option key={id} value={id}>
                {t("monitors.objective.tagged", { tag: name })}
              </option>
            ))}
          </select>
        </Field>
      )}
      <Switch label={t("monitors.objective.alerts")} checked={alerts} onChange={setAlerts} />
      <p className="soft">{t("monitors.objective.alertsHint")}</p>
    </FormDialog>
  );
}
