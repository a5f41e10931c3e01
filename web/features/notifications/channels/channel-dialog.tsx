import { type FormEvent, useEffect, useId, useRef, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import type { ChannelForm } from "../../../../src/shared/channel-fields";
import { Field } from "../../../ui/controls/field";
import { Icon } from "../../../ui/controls/icon";
import { Switch } from "../../../ui/controls/switch";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { useModal } from "../../../ui/hooks/use-modal";
import { testUnsaved } from "../calls";
import { useTestFailure } from "../history/use-said";
import type { Channel } from "../normalise";
import { type ChannelBody, inputName, readForm } from "./channel-form";
import { ConfigFields } from "./config-fields";
import { TypeChoice } from "./type-choice";
import { useChannelErrors } from "./use-channel-errors";

type Props = {
  /** The channel to change; absent for a new one. */
  channel?: Channel;
  forms: readonly ChannelForm[];
  onSave: (body: ChannelBody) => Promise<void>;
  onClose: () => void;
};
type Word = { tone: "good" | "bad"; text: string };

/** Adds a channel or changes one. Its messages are inside it: toasts lie beneath a modal dialog. */
export function ChannelDialog({ channel, forms, onSave, onClose }: Props) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const failure = useTestFailure();
  const dialog = useModal();
  const element = useRef<HTMLFormElement>(null);
  const id = useId();
  useEffect(() => element.current?.querySelector<HTMLElement>("input:checked, input")?.focus(), []);
  const [kind, setKind] = useState(channel?.type ?? forms[0]?.kind ?? "");
  const form = forms.find((one) => one.kind === kind);
  const [enabled, setEnabled] = useState(channel?.enabled ?? true);
  const errors = useChannelErrors(form);
  const [word, setWord] = useState<Word>();
  const [saving, startSaving] = useTransition();
  const [testing, startTesting] = useTransition();
  const busy = saving || testing;

  /** The channel as it would be sent; undefined when something is wrong: then the first bad field has the focus. */
  const read = (needsName: boolean): ChannelBody | undefined => {
    if (!element.current || !form) return undefined;
    const { name, config } = readForm(new FormData(element.current), form);
    setWord(undefined);
    const wrong = errors.check(config, channel?.config ?? {}, needsName ? name : undefined);
    element.current.querySelector<HTMLElement>(wrong.map((input) => `[name="${input}"]`).join(",") || "none")?.focus();
    return wrong.length === 0 ? { name, type: kind, enabled, config: JSON.stringify(config) } : undefined;
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const body = read(true);
    if (!body) return;
    startSaving(async () => {
      try {
        await onSave(body);
        onClose();
      } catch (error) {
        errors.keep(error);
        setWord({ tone: "bad", text: failureText(t("notifications.channel.saveFailed"), error) });
      }
    });
  };

  const onTest = () => {
    const body = read(false);
    if (!body) return;
    startTesting(async () => {
      try {
        const { message } = await testUnsaved(body, channel?.id);
        const said = form?.quotesAnswer ? ` ${t("notifications.channel.said", { said: message })}` : "";
        setWord({ tone: "good", text: t("notifications.channel.tested") + said });
      } catch (error) {
        errors.keep(error);
        setWord({ tone: "bad", text: `${t("notifications.channel.testFailed")}: ${failure(error)}` });
      }
    });
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
        <form ref={element} onSubmit={onSubmit} noValidate>
          {!channel && <TypeChoice forms={forms} chosen={kind} onChoose={setKind} />}
          <Field label={t("notifications.form.name")} error={errors.of("name")}>
            <input
              name="name"
              required
              maxLength={100}
              defaultValue={channel?.name}
              placeholder={t("notifications.form.namePlaceholder")}
              autoComplete="off"
            />
          </Field>
          {form && (
            <ConfigFields form={form} config={channel?.config} errorOf={({ name }) => errors.of(inputName(name))} />
          )}
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
            <button type="submit" disabled={busy || !form} aria-busy={saving}>
              {t(saving ? "common.action.saving" : "common.action.save")}
            </button>
          </div>
        </form>
      </article>
    </dialog>
  );
}
