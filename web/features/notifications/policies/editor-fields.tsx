import { useId } from "react";
import { useTranslation } from "react-i18next";
import { POLICY_LIMITS, QUIET_MODES, type QuietHours } from "../../../../src/shared/alert-policy";
import { timeZones } from "../../../lib/format";
import { Switch } from "../../../ui/controls/switch";
import { useWeekdays } from "../../../ui/hooks/use-weekdays";
import type { Problems } from "./policy";
import { Sentence, useSentences } from "./sentence";
import { type EditorProps, invalid, Line, NumberInput } from "./sentence-fields";

/** Whether, how often and how many times reminders are sent. */
export function ReminderFields({ draft, problems, onChange }: EditorProps) {
  const { t } = useTranslation();
  const sentences = useSentences();
  const id = useId();
  return (
    <div className="policy-part">
      <Switch label={t("policies.reminders")} checked={draft.reminds} onChange={(reminds) => onChange({ reminds })} />
      {draft.reminds && (
        <Line problems={problems} fields={["repeat_minutes", "repeat_max"]} id={id}>
          <Sentence
            text={sentences.remind(draft.repeatMax || 0)}
            slots={{
              minutes: (
                <NumberInput
                  label={t("policies.remindEvery")}
                  value={draft.repeatMinutes}
                  max={POLICY_LIMITS.repeatMinutes.max}
                  wrong={problems.repeat_minutes !== undefined}
                  about={id}
                  onChange={(repeatMinutes) => onChange({ repeatMinutes })}
                />
              ),
              max: (
                <NumberInput
                  label={t("policies.remindMax")}
                  value={draft.repeatMax}
                  max={POLICY_LIMITS.repeatMax}
                  wrong={problems.repeat_max !== undefined}
                  about={id}
                  onChange={(repeatMax) => onChange({ repeatMax })}
                />
              ),
            }}
          />
        </Line>
      )}
    </div>
  );
}

type QuietProps = {
  quiet: QuietHours;
  problems: Problems;
  about: string;
  onChange: (change: Partial<QuietHours>) => void;
};

/** The controls within the sentence of quiet hours, by the names of their places. */
const useQuietSlots = ({ quiet, problems, about, onChange }: QuietProps) => {
  const { t } = useTranslation();
  const sentences = useSentences();
  const weekdays = useWeekdays();
  const zones = useId();
  const time = (field: "from" | "to") => (
    <input
      type="time"
      aria-label={t(`policies.${field}`)}
      value={quiet[field]}
      onChange={(event) => onChange({ [field]: event.target.value })}
      {...invalid(problems[`quiet.${field}`] !== undefined, about)}
    />
  );
  const days = (
    <fieldset className="days" aria-label={t("policies.days")}>
      {weekdays.map(({ day, name }, index) => (
        <label key={day}>
          <input
            type="checkbox"
            checked={quiet.days.includes(day)}
            onChange={({ target }) =>
              onChange({ days: target.checked ? [...quiet.days, day].sort() : quiet.days.filter((one) => one !== day) })
            }
            {...invalid(index === 0 && problems["quiet.days"] !== undefined, about)}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
  return {
    from: time("from"),
    to: time("to"),
    days: <Sentence text={sentences.on} slots={{ days }} />,
    zone: (
      <>
        <input
          type="text"
          list={zones}
          className="zone"
          aria-label={t("policies.zone")}
          autoComplete="off"
          spellCheck={false}
          value={quiet.timeZone}
          onChange={(event) => onChange({ timeZone: event.target.value.trim() })}
          // The whole list is offered again when another zone is searched.
          onFocus={(event) => event.target.select()}
          {...invalid(problems["quiet.time_zone"] !== undefined, about)}
        />
        <datalist id={zones}>
          {timeZones().map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </>
    ),
    mode: (
      <select
        aria-label={t("policies.mode")}
        value={quiet.mode}
        onChange={(event) => onChange({ mode: event.target.value as QuietHours["mode"] })}
      >
        {QUIET_MODES.map((mode) => (
          <option key={mode} value={mode}>
            {t(`policies.modes.${mode}`)}
          </option>
        ))}
      </select>
    ),
  };
};

/** Whether there are quiet hours, and which. */
export function QuietFields({ draft, problems, onChange }: EditorProps) {
  const { t } = useTranslation();
  const sentences = useSentences();
  const id = useId();
  const edit = (change: Partial<QuietHours>) => onChange({ quiet: { ...draft.quiet, ...change } });
  const slots = useQuietSlots({ quiet: draft.quiet, problems, about: id, onChange: edit });
  return (
    <div className="policy-part">
      <Switch label={t("policies.quiet")} checked={draft.isQuiet} onChange={(isQuiet) => onChange({ isQuiet })} />
      {draft.isQuiet && (
        <Line
          problems={problems}
          fields={["quiet.from", "quiet.to", "quiet.days", "quiet.time_zone", "quiet.mode"]}
          id={id}
        >
          <Sentence text={sentences.quiet} slots={slots} />
        </Line>
      )}
    </div>
  );
}

/** How long messages wait for others. */
export function GroupFields({ draft, problems, onChange }: EditorProps) {
  const { t } = useTranslation();
  const sentences = useSentences();
  const id = useId();
  return (
    <div className="policy-part">
      <Line problems={problems} fields={["group_seconds"]} id={id}>
        <Sentence
          text={sentences.group(1)}
          slots={{
            seconds: (
              <NumberInput
                label={t("policies.group")}
                value={draft.groupSeconds}
                max={POLICY_LIMITS.groupSeconds}
                wrong={problems.group_seconds !== undefined}
                about={id}
                onChange={(groupSeconds) => onChange({ groupSeconds })}
              />
            ),
          }}
        />
      </Line>
    </div>
  );
}
