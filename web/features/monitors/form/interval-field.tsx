import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../src/shared/limits";
import { bootstrap } from "../../../bootstrap";
import { text, whole } from "../../../lib/form";
import { Field } from "../../../ui/controls/field";

/** The unit of intervals in forms, in seconds: a minute, or a second where the hub allows less than a minute. */
const unit = (): number => (bootstrap.minInterval < 60 ? 1 : 60);

/** Seconds in the unit of the form, with two decimals if another client stored a fraction. */
export const shownInterval = (seconds: number): string => String(Math.round((seconds / unit()) * 100) / 100);

/** The interval in a form in seconds. An unedited interval keeps its stored seconds. */
export const intervalIn = (form: FormData, stored?: number): number =>
  stored !== undefined && text(form, "interval") === shownInterval(stored) ? stored : whole(form, "interval") * unit();

/** `least`: the shortest interval of the kind, in seconds. */
type Props = { seconds: number; least?: number; hint?: boolean; error?: string | undefined };

/** The interval of checks. A stored interval that is no whole number of the unit is accepted until it is edited. */
export function IntervalField({ seconds, least = 0, hint, error }: Props) {
  const { t } = useTranslation();
  const [asStored, setAsStored] = useState(true);
  const shown = shownInterval(seconds);
  const isMinutes = unit() === 60;
  const range = { shortest: Math.max(bootstrap.minInterval, least), longest: LIMITS.intervalMax };
  const shortest = t("monitors.form.intervalHint", { count: range.shortest / 60 });

  return (
    <Field
      label={isMinutes ? t("monitors.form.interval") : t("monitors.form.intervalSeconds")}
      hint={hint ? (isMinutes ? shortest : t("monitors.form.intervalRange", range)) : undefined}
      error={error && !isMinutes ? t("monitors.form.intervalRange", range) : error}
    >
      <input
        name="interval"
        type="number"
        required
        min={Math.min(range.shortest, seconds) / unit()}
        max={LIMITS.intervalMax / unit()}
        step={asStored ? "any" : 1}
        defaultValue={shown}
        onChange={(event) => setAsStored(event.target.value === shown)}
      />
    </Field>
  );
}
