import { useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { POLICY_LIMITS } from "../../../../src/shared/alert-policy";
import { Icon } from "../../../ui/controls/icon";
import { IconButton } from "../../../ui/controls/icon-button";
import { Menu } from "../../../ui/controls/menu";
import type { Channel } from "../api";
import { Sentence, useChannelNames, useSentences } from "./sentence";
import { type EditorProps, invalid, Line, NumberInput } from "./sentence-fields";

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
        <IconButton icon="trash" label={t("policies.removeStep", { step: index + 1 })} onClick={onRemove} />
      )}
    </li>
  );
}
