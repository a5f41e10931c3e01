import { type FormEvent, useEffect, useId, useRef, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import type { ChannelForm } from "../../../../src/shared/channel-fields";
import { Field } from "../../../ui/controls/field";
import { focusFirstWrong } from "../../../ui/controls/form";
import { Icon } from "../../../ui/controls/icon";
import { Switch } from "../../../ui/controls/switch";
import { useModal } from "../../../ui/feedback/confirm-dialog";
import { useFormDiscardQuestion } from "../../../ui/feedback/unsaved";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import type { Channel } from "../api";
import { type ChannelBody, testUnsaved } from "../api";
import { useTestFailure } from "../labels";
import { ConfigFields, inputName, readForm, TypeChoice, useChannelErrors } from "./channel-fields";

type Props = {
  /** The channel to edit; undefined for a new one. */
  channel?: Channel;
  forms: readonly ChannelForm[];
  onSave: (body: ChannelBody) => Promise<void>;
  onClose: () => void;
};
type Message = { tone: "good" | "bad"; text: string };

/** Creates or edits a channel. Messages are shown inside, because a modal dialog covers toasts. */
export function ChannelDialog({ channel, forms, onSave, onClose }: Props) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const testFailure = useTestFailure();
  const dialog = useModal();
  const element = useRef<HTMLFormElement>(null);
  const id = useId();
  useEffect(() => element.current?.querySelector<HTMLElement>("input:checked, input")?.focus(), []);
  const [kind, setKind] = useState(channel?.type ?? forms[0]?.kind ?? "");
  const form = forms.find((candidate) => candidate.kind === kind);
  const [enabled, setEnabled] = useState(channel?.enabled ?? true);
  const errors = useChannelErrors(form);
  const [message, setMessage] = useState<Message>();
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (message) outcome.current?.scrollIntoView({ block: "nearest" });
  }, [message]);
  const [saving, startSaving] = useTransition();
  const [testing, startTesting] = useTransition();
  const busy = saving || testing;
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0 && element.current) focusFirstWrong(element.current);
  }, [refusals]);
  const { onCancel, question } = useFormDiscardQuestion(element, busy, onClose);

  const refuse = (error: unknown, text: string) => {
    errors.setRefused(error);
    setMessage({ tone: "bad", text });
    setRefusals((count) => count + 1);
  };

  /** The body to send; undefined if a field is invalid, and then the first invalid field gets the focus. */
  const read = (needsName: boolean): ChannelBody | undefined => {
    if (!element.current || !form) return undefined;
    const { name, config } = readForm(new FormData(element.current), form);
    setMessage(undefined);
    const invalid = errors.check(config, channel?.config ?? {}, needsName ? name : undefined);
    if (invalid.length > 0) setRefusals((count) => count + 1);
    return invalid.length === 0 ? { name, type: kind, enabled, config: JSON.stringify(config) } : undefined;
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
        refuse(error, failureText(t("notifications.channel.saveFailed"), error));
      }
    });
  };

  const onTest = () => {
    const body = read(false);
    if (!body) return;
    startTesting(async () => {
      try {
        const { message: answer } = await testUnsaved(body, channel?.id);
        const quote = form?.quotesAnswer ? ` ${t("notifications.channel.reply", { reply: answer })}` : "";
        setMessage({ tone: "good", text: t("notifications.channel.tested") + quote });
      } catch (error) {
        const label = t("notifications.channel.testFailed");
        refuse(error, t("common.labelled", { label, value: testFailure(error) }));
      }
    });
  };

  return (
    <dialog ref={dialog} className="form-dialog" aria-labelledby={`${id}-title`} onCancel={onCancel} onClose={onClose}>
      <article>
        <h2 id={`${id}-title`}>{t(channel ? "notifications.form.editTitle" : "notifications.channel.add")}</h2>
        <form
          ref={element}
          onSubmit={onSubmit}
          onInput={({ target }) => target instanceof Element && errors.drop(target.getAttribute("name") ?? "")}
          noValidate
        >
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
          <div ref={outcome} role="status" aria-live="polite">
            {message && (
              <p className={`message ${message.tone}`}>
                <Icon name={message.tone === "good" ? "up" : "alert"} />
                <span>{message.text}</span>
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
      {question}
    </dialog>
  );
}
