import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Metric } from "../../../../src/shared/alerts";
import { isThreshold, metricFields } from "./setting";
import type { Editing } from "./use-settings";

type Props = Pick<Editing, "setting" | "onChange"> & { metric: Metric };

/** Whether a figure is watched, and from where on it is too high. What is no number stays on screen as not a number. */
export function ThresholdField({ metric, setting, onChange }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const { on, threshold } = metricFields[metric];
  const value = setting[threshold];
  const wrong = !isThreshold(value);
  return (
    <div className="threshold">
      <label>
        <input type="checkbox" checked={setting[on]} onChange={(event) => onChange({ [on]: event.target.checked })} />
        {t(`notifications.setting.${on}`)}
      </label>
      <span className="percent">
        <input
          type="number"
          min={0}
          max={100}
          step="any"
          inputMode="decimal"
          aria-label={t(`notifications.setting.threshold.${metric}`)}
          aria-invalid={wrong || undefined}
          aria-describedby={wrong ? `${id}-wrong` : undefined}
          value={Number.isNaN(value) ? "" : value}
          onChange={(event) => onChange({ [threshold]: event.target.valueAsNumber })}
        />
        <span aria-hidden="true">%</span>
      </span>
      {wrong && (
        <span className="wrong" id={`${id}-wrong`} role="alert">
          {t("notifications.setting.thresholdWrong")}
        </span>
      )}
    </div>
  );
}
