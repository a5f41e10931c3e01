import { type ReactNode, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { POLICY_LIMITS, QUIET_MODES, type QuietHours } from "../../../../src/shared/alert-policy";
import { browserTimeZone } from "../../../lib/format";
import { Icon } from "../../../ui/controls/icon";
import { Menu } from "../../../ui/controls/menu";
import { Switch } from "../../../ui/controls/switch";
import type { Channel } from "../normalise";
import type { PolicyDraft, Problems } from "./policy";
import { Sentence, useChannelNames, useSentences, useWeekdays } from "./sentence";

/** The draft in the editor with its wrong fields, and the callback that edits it. */
export type EditorProps = {
  draft: PolicyDraft;
  channels: readonly Channel[];
  problems: Problems;
  onChange: (change: Partial<PolicyDraft>) => void;
};

/** The attributes of a control that is wrong for the reason with this id. */
const invalid = (isWrong: boolean, id: string) => ({
  "aria-invalid": isWrong || undefined,
  "aria-describedby": isWrong ? id : undefined,
});

/** One sentence of the editor, with the problems of the fields in it below. */
function Line({
  problems,
  fields,
  id,
  children,
}: {
  problems: Problems;
  fields: string[];
  id: string;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const wrong = [...new Set(fields.flatMap((field) => problems[field] ?? []))];
  return (
    <>
      <div className="sentence">{children}</div>
      {wrong.length > 0 && (
        <div className="wrong" id={id} role="alert">
          {wrong.map((problem) => (
            <p key={problem}>{t(`policies.problem.${problem}`)}</p>
          ))}
        </div>
      )}
    </>
  );
}

type NumberProps = {
  label: string;
  value: number;
  max: number;
  wrong: boolean;
  about: string;
  onChange: (value: number) => void;
};

/** A whole number within a sentence. Text that is not a number stays in the field and counts as wrong. */
function NumberInput({ label, value, max, wrong, about, onChange }: NumberProps) {
  return (
    <input
      type="number"
      inputMode="numeric"
      min={0}
      max={max}
      step={1}
      aria-label={label}
      value={Number.isNaN(value) ? "" : value}
      onChange={(event) => onChange(event.target.valueAsNumber)}
      {...invalid(wrong, about)}
    />
  );
}

type ChipsProps = {
  step: number;
  chosen: readonly number[];
  channels: readonly Channel[];
  wrong: boolean;
  about: string;
  onChange: (chosen: number[]) => void;
};

/** The channels of a step: each can be removed, and a menu adds another one. */
function ChannelChips({ step, chosen, channels, wrong, about, onChange }: ChipsProps) {
  const { t } = useTranslation();
  const nameOf = useChannelNames(channels);
  const group = useRef<HTMLDivElement>(null);
  const others = channels.filter(({ id }) => !chosen.includes(id));
  const label = t("policies.addChannel", { step });
  const remove = (id: number) => {
    onChange(chosen.filter((other) => other !== id));
    // The button that had the focus is gone.
    group.current?.querySelector<HTMLElement>(".menu > button")?.focus();
  };
  return (
    <div className="chips" ref={group}>
      {chosen.map((id) => (
        <button
          key={id}
          type="button"
          className={channels.some((channel) => channel.id === id) ? "chip" : "chip gone"}
          aria-label={t("policies.removeChannel", { step, name: nameOf(id) })}
          onClick={() => remove(id)}
        >
          <span className="truncate">{nameOf(id)}</span>
          <Icon name="cross" />
        </button>
      ))}
      {(others.length > 0 || chosen.length === 0) && (
        // Gets the focus when no channel is chosen.
        <fieldset className="add-channel" aria-label={label} tabIndex={-1} {...invalid(wrong, about)}>
          <Menu label={label} button={<Icon name="plus" />}>
            {others.map(({ id, name, enabled }) => (
              <button key={id} type="button" role="menuitem" onClick={() => onChange([...chosen, id])}>
                {enabled ? name : t("notifications.setting.channelOff", { name })}
              </button>
            ))}
          </Menu>
        </fieldset>
      )}
    </div>
  );
}

type StepProps = EditorProps & { index: number; onRemove: () => void };

/** One step as a sentence: when, and which channels. */
export function StepFields({ index, draft, channels, problems, onChange, onRemove }: StepProps) {
  const { t } = useTranslation();
  const sentences = useSentences();
  const id = useId();
  const step = draft.steps[index];
  if (!step) return null;
  const edit = (change: Partial<typeof step>) =>
    onChange({ steps: draft.steps.map((other, at) => (at === index ? { ...other, ...change } : other)) });
  const [minutes, chosen] = [`steps.${index}.after_minutes`, `steps.${index}.channels`];
  return (
    <li>
      <div>
        <Line problems={problems} fields={[minutes, chosen]} id={id}>
          <Sentence
            text={sentences.step(index)}
            slots={{
              minutes: (
                <NumberInput
                  label={t("policies.after", { step: index + 1 })}
                  value={step.afterMinutes}
                  max={POLICY_LIMITS.afterMinutes}
                  wrong={problems[minutes] !== undefined}
                  about={id}
                  onChange={(afterMinutes) => edit({ afterMinutes })}
                />
              ),
              channels: (
                <ChannelChips
                  step={index + 1}
                  chosen={step.channels}
                  channels={channels}
                  wrong={problems[chosen] !== undefined}
                  about={id}
                  onChange={(ids) => edit({ channels: ids })}
                />
              ),
            }}
          />
        </Line>
      </div>
      {index > 0 && (
        <button
          type="button"
          className="quiet compact icon-only"
          aria-label={t("policies.removeStep", { step: index + 1 })}
          title={t("policies.removeStep", { step: index + 1 })}
          onClick={onRemove}
        >
          <Icon name="trash" />
        </button>
      )}
    </li>
  );
}

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

/** The time zones that the browser knows, and the viewer's own. */
const timeZones = (): string[] => [
  ...new Set([browserTimeZone(), "UTC", ...(Intl.supportedValuesOf?.("timeZone") ?? [])]),
];

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
