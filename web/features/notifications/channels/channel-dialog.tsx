import { type FormEvent, useEffect, useId, useRef, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import type { ChannelType } from "../../../../src/shared/alerts";
import { Field } from "../../../ui/controls/field";
import { Icon } from "../../../ui/controls/icon";
import { Switch } from "../../../ui/controls/switch";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { useFieldErrors } from "../../../ui/hooks/use-field-errors";
import { useModal } from "../../../ui/hooks/use-modal";
import { testUnsaved } from "../calls";
import { useTestFailure } from "../history/use-said";
import type { Channel } from "../normalise";
import { type ChannelBody, isUsable, toChannelBody, toChannelForm } from "./channel-body";
import { channelProblems, configProblems, type Problems } from "./channel-problems";
import { ConfigFields } from "./config-fields";
import { TypeChoice } from "./type-choice";

type Props = { channel?: Channel; onSave: (body: ChannelBody) => Promise<void>; onClose: () => void };
type Word = { tone: "good" | "bad"; text: string };

/** Adds a channel, or changes one. What it says stands inside it: toasts lie beneath a modal dialog. */
export function ChannelDialog({ channel, onSave, onClose }: Props) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const failure = useTestFailure();
  const fields = useFieldErrors();
  const dialog = useModal();
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  useEffect(() => form.current?.querySelector<HTMLElement>("input:checked, input")?.focus(), []);
  const stored = channel && isUsable(channel.type) ? channel.type : undefined;
  const [type, setType] = useState<ChannelType>(stored ?? "telegram");
  const [enabled, setEnabled] = useState(channel?.enabled ?? true);
  const [problems, setProblems] = useState<Problems>({});
  const [word, setWord] = useState<Word>();
  const [saving, startSaving] = useTransition();
  const [testing, startTesting] = useTransition();
  const busy = saving || testing;

  /** The form, or nothing when the page itself sees what is wrong: then the first bad field has the focus. */
  const read = (check: typeof channelProblems) => {
    if (!form.current) return undefined;
    const values = toChannelForm(new FormData(form.current), type, enabled);
    const found = check(values, channel?.config);
    setProblems(found);
    setWord(undefined);
    fields.keep(undefined);
    const names = Object.keys(found);
    if (names.length === 0) return values;
    form.current.querySelector<HTMLElement>(names.map((name) => `[name="${name}"]`).join(","))?.focus();
    return undefined;
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const values = read(channelProblems);
    if (!values) return;
    startSaving(async () => {
      try {
        await onSave(toChannelBody(values));
        onClose();
      } catch (error) {
        fields.keep(error);
        setWord({ tone: "bad", text: failureText(t("notifications.channel.saveFailed"), error) });
      }
    });
  };

  const onTest = () => {
    const values = read(configProblems);
    if (!values) return;
    startTesting(async () => {
      try {
        await testUnsaved(toChannelBody(values), channel?.id);
        setWord({ tone: "good", text: t("notifications.channel.tested") });
      } catch (error) {
        fields.keep(error);
        setWord({ tone: "bad", text: `${t("notifications.channel.testFailed")}: ${failure(error)}` });
      }
    });
  };

  const wrong = (field: keyof Problems) => {
    const problem = problems[field];
    return problem ? t(`errors.code.${problem}`) : fields.of(field.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`));
  };

  return (
    <dialog
      ref={dialog}
      className="form-dialog"
      aria-labelledby={`${id}-title`}
      onCancel={(event) => busy && event.preventDefault()}
      onClose={onClose}
    >
      <article>
        <h2 id={`${id}-title`}>{t(`notifications.form.${channel ? "editTitle" : "createTitle"}`)}</h2>
        <form ref={form} onSubmit={onSubmit} noValidate>
          {!channel && <TypeChoice chosen={type} onChoose={setType} />}
          <Field label={t("notifications.form.name")} error={wrong("name")}>
            <input
              name="name"
              required
              maxLength={100}
              defaultValue={channel?.name}
              placeholder={t("notifications.form.namePlaceholder")}
              autoComplete="off"
            />
          </Field>
          <ConfigFields type={type} config={type === stored ? channel?.config : undefined} wrong={wrong} />
          <Switch label={t("notifications.form.enabled")} checked={enabled} onChange={setEnabled} />
          <div role="status" aria-live="polite">
            {word && (
              <p className={`message ${word.tone}`}>
                <Icon name={word.tone === "good" ? "up" : "alert"} />
                <span>{word.text}</span>
              </p>
            )}
          </div>
          <div className="actions">
            <button type="button" className="plain first" disabled={busy} onClick={onTest}>
              {t(testing ? "notifications.channel.testing" : "notifications.channel.test")}
            </button>
            <button type="button" className="quiet" disabled={saving} onClick={onClose}>
              {t("common.action.cancel")}
            </button>
            <button type="submit" disabled={busy} aria-busy={saving}>
              {t(saving ? "common.action.saving" : "common.action.save")}
            </button>
          </div>
        </form>
      </article>
    </dialog>
  );
}
