import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../src/shared/limits";
import { Field } from "../../../ui/controls/field";
import { minutesOf } from "./monitor-body";

/** Whole minutes. Only what some client chose to the second may stay as it is. */
export function IntervalField({ seconds, error }: { seconds: number; error?: string }) {
  const { t } = useTranslation();
  const [asStored, setAsStored] = useState(true);
  const stored = minutesOf(seconds);

  return (
    <Field label={t("monitors.form.interval")} hint={t("monitors.form.intervalHint")} error={error}>
      <input
        name="interval"
        type="number"
        required
        min={1}
        max={LIMITS.intervalMax / 60}
        step={asStored ? "any" : 1}
        defaultValue={stored}
        onChange={(event) => setAsStored(event.target.value === stored)}
      />
    </Field>
  );
}
