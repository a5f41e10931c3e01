import { useTranslation } from "react-i18next";
import { Field } from "../../../../../ui/controls/field";

const UNITS = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const;
type Unit = keyof typeof UNITS;

/** A duration as it is typed: a number with its unit. */
type Duration = { count: string; unit: Unit };

const largestFirst: readonly Unit[] = ["day", "hour", "minute", "second"];

/** Seconds in the largest unit that divides them. */
export const toDuration = (seconds: number): Duration => {
  const unit = largestFirst.find((unit) => seconds % UNITS[unit] === 0) ?? "second";
  return { count: String(seconds / UNITS[unit]), unit };
};

/** Seconds of a typed duration; NaN while that is no whole number. */
export const secondsOf = ({ count, unit }: Duration): number =>
  /^\d{1,9}$/.test(count.trim()) ? Number(count) * UNITS[unit] : Number.NaN;

/** The duration in the fields of a form, in seconds. */
export const secondsIn = (form: FormData, name: string): number =>
  secondsOf({ count: String(form.get(name) ?? ""), unit: String(form.get(`${name}-unit`)) as Unit });

type Props = {
  name: string;
  label: string;
  hint?: string;
  error?: string;
  value: Duration;
  onChange: (value: Duration) => void;
};

/** A number beside its unit. Seconds are offered only where they are stored already. */
export function DurationField({ name, label, hint, error, value, onChange }: Props) {
  const { t } = useTranslation();
  const units = largestFirst.filter((unit) => unit !== "second" || value.unit === "second").reverse();
  const unit = (
    <select
      name={`${name}-unit`}
      value={value.unit}
      onChange={({ target }) => onChange({ ...value, unit: target.value as Unit })}
      aria-label={t("common.labelled", { label, value: t("kinds.unit") })}
    >
      {units.map((unit) => (
        <option key={unit} value={unit}>
          {t(`kinds.units.${unit}`)}
        </option>
      ))}
    </select>
  );
  return (
    <Field label={label} hint={hint} error={error} unit={unit}>
      <input
        name={name}
        type="number"
        required
        min={1}
        step={1}
        value={value.count}
        onChange={({ target }) => onChange({ ...value, count: target.value })}
      />
    </Field>
  );
}
