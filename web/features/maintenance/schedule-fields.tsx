import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { Weekday } from "../../../src/shared/alert-policy";
import { SCHEDULE_KINDS, WINDOW_LIMITS } from "../../../src/shared/outages/maintenance";
import { timeZones } from "../../lib/format";
import { Field } from "../../ui/controls/field";
import { useWeekdays } from "../../ui/hooks/use-weekdays";
import { type Draft, UNITS, type Unit } from "./draft";
import { useWeekdayNames } from "./words";

type Props = {
  draft: Draft;
  errorOf: (name: string) => string | undefined;
  onChange: (change: Partial<Draft>) => void;
};

const WEEKS = Array.from({ length: WINDOW_LIMITS.weeks }, (_, index) => index + 1);
const TEXT = { autoComplete: "off", spellCheck: false } as const;

/** The kind of a schedule and its fields. */
export function ScheduleFields(props: Props) {
  const { t } = useTranslation();
  const { kind } = props.draft;
  const { input } = useInputs(props);
  return (
    <>
      <Field label={t("maintenance.kind")} {...(kind === "open" && { hint: t("maintenance.openHint") })}>
        <select
          name="kind"
          value={kind}
          onChange={(event) => props.onChange({ kind: event.target.value as Draft["kind"] })}
        >
          {SCHEDULE_KINDS.map((value) => (
            <option key={value} value={value}>
              {t(`maintenance.kinds.${value}`)}
            </option>
          ))}
        </select>
      </Field>
      {kind === "weekly" && <WeeklyFields {...props} />}
      {kind === "monthly" && <MonthlyFields {...props} />}
      {kind === "cron" && input("cron", "text", t("maintenance.cronHint"))}
      <div className="window-times">
        {kind === "once" || kind === "open" ? (
          <>
            {input("from", "datetime-local")}
            {kind === "once" && input("to", "datetime-local")}
          </>
        ) : (
          <>
            {kind !== "cron" && input("at", "time")}
            <LengthField {...props} />
          </>
        )}
        <ZoneField {...props} />
      </div>
    </>
  );
}

/** Inputs of the draft's texts, with their labels and errors. */
const useInputs = ({ draft, errorOf, onChange }: Props) => {
  const { t } = useTranslation();
  const input = (name: "from" | "to" | "at" | "anchor" | "cron" | "day", type: string, hint?: string): ReactNode => (
    <Field label={t(`maintenance.${name}`)} error={errorOf(name)} {...(hint && { hint })}>
      <input
        {...TEXT}
        name={name}
        type={type}
        required
        value={draft[name]}
        onChange={(event) => onChange({ [name]: event.target.value })}
        {...(name === "day" && { min: 1, max: 31 })}
      />
    </Field>
  );
  return { input };
};

function WeeklyFields(props: Props) {
  const { draft, errorOf, onChange } = props;
  const { t } = useTranslation();
  const weekdays = useWeekdays();
  const { input } = useInputs(props);
  const error = errorOf("days");
  const id = useId();
  return (
    <>
      <fieldset className="window-days" aria-describedby={error ? id : undefined}>
        <legend>{t("maintenance.days")}</legend>
        {weekdays.map(({ day, name }) => (
          <label key={day}>
            <input
              type="checkbox"
              name="days"
              aria-invalid={error ? true : undefined}
              checked={draft.days.includes(day)}
              onChange={({ target }) =>
                onChange({
                  days: target.checked ? [...draft.days, day].sort() : draft.days.filter((one) => one !== day),
                })
              }
            />
            <span>{name}</span>
          </label>
        ))}
        {error && (
          <p className="wrong" id={id} role="alert">
            {error}
          </p>
        )}
      </fieldset>
      <div className="window-times">
        <Field label={t("maintenance.weeks")} error={errorOf("weeks")}>
          <select
            name="weeks"
            value={draft.weeks}
            onChange={(event) => onChange({ weeks: Number(event.target.value) })}
          >
            {WEEKS.map((weeks) => (
              <option key={weeks} value={weeks}>
                {weeks}
              </option>
            ))}
          </select>
        </Field>
        {draft.weeks > 1 && input("anchor", "date", t("maintenance.anchorHint"))}
      </div>
    </>
  );
}

function MonthlyFields(props: Props) {
  const { draft, onChange } = props;
  const { t } = useTranslation();
  const weekdays = useWeekdayNames();
  const { input } = useInputs(props);
  const select = <Name extends "by" | "nth">(name: Name, label: string, names: Record<Draft[Name], string>) => (
    <Field label={label}>
      <select
        name={name}
        value={draft[name]}
        onChange={(event) => onChange({ [name]: event.target.value as Draft[Name] })}
      >
        {Object.entries<string>(names).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
  return (
    <div className="window-times">
      {select("by", t("maintenance.by"), t("maintenance.bys", { returnObjects: true }))}
      {draft.by === "day" && input("day", "number", Number(draft.day) > 28 ? t("maintenance.dayHint") : undefined)}
      {draft.by === "nth" && (
        <>
          {select("nth", t("maintenance.nth"), t("maintenance.nths", { returnObjects: true }))}
          <Field label={t("maintenance.weekday")}>
            <select
              name="weekday"
              value={draft.weekday}
              onChange={(event) => onChange({ weekday: Number(event.target.value) as Weekday })}
            >
              {weekdays.map(({ day, name }) => (
                <option key={day} value={day}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        </>
      )}
    </div>
  );
}

function LengthField({ draft, errorOf, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Field
      label={t("maintenance.length")}
      error={errorOf("minutes")}
      unit={
        <select
          aria-label={t("maintenance.unit")}
          value={draft.unit}
          onChange={(event) => onChange({ unit: event.target.value as Unit })}
        >
          {(Object.keys(UNITS) as Unit[]).map((unit) => (
            <option key={unit} value={unit}>
              {t(`maintenance.units.${unit}`)}
            </option>
          ))}
        </select>
      }
    >
      <input
        {...TEXT}
        name="minutes"
        type="number"
        min={1}
        required
        value={draft.length}
        onChange={(event) => onChange({ length: event.target.value })}
      />
    </Field>
  );
}

function ZoneField({ draft, errorOf, onChange }: Props) {
  const { t } = useTranslation();
  const zones = useId();
  return (
    <div className="window-zone">
      <Field label={t("maintenance.zone")} error={errorOf("zone")}>
        <input
          {...TEXT}
          name="zone"
          type="text"
          list={zones}
          required
          value={draft.zone}
          onChange={(event) => onChange({ zone: event.target.value.trim() })}
          // The whole list is offered again when another zone is searched.
          onFocus={(event) => event.target.select()}
        />
      </Field>
      <datalist id={zones}>
        {timeZones().map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </div>
  );
}
