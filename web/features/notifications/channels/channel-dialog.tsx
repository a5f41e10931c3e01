import { useEffect, useRef, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import type { ChannelForm } from "../../../../src/shared/channel-fields";
import type { Language } from "../../../../src/shared/language";
import { focusFirstWrong } from "../../../lib/form";
import { Field } from "../../../ui/controls/field";
import { Icon } from "../../../ui/controls/icon";
import { Switch } from "../../../ui/controls/switch";
import { FormDialog } from "../../../ui/feedback/form-dialog";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import type { Channel } from "../api";
import { type ChannelBody, testUnsaved } from "../api";
import { useTestFailure } from "../labels";
import { ConfigFields, inputName, readForm, sortKinds, TypeChoice, useChannelErrors } from "./channel-fields";

type Props = {
  /** The channel to edit; undefined for a new one. */
  channel?: Channel;
  forms: readonly ChannelForm[];
  onSave: (body: ChannelBody) => Promise<void>;
  onClose: () => void;
};
type Message = { tone: "good" | "bad"; text: string };

/** Creates or edits a channel. Messages are shown inside, because a modal dialog covers toasts. */
export function ChannelDialog({ channel, forms: kinds, onSave, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const forms = sortKinds(kinds, i18n.language as Language);
  const failureText = useFailureText();
  const testFailure = useTestFailure();
  const element = useRef<HTMLFormElement>(null);
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
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0 && element.current) focusFirstWrong(element.current);
  }, [refusals]);

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

  const onSubmit = () => {
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
    <FormDialog
      title={t(channel ? "notifications.form.editTitle" : "notifications.channel.add")}
      of={{ element, busy: saving, error: undefined }}
      focus="[name=type]:checked, [name=name]"
      disabled={testing || !form}
      first={
        <button type="button" className="plain first" disabled={saving || testing} onClick={onTest}>
          {t(testing ? "notifications.channel.testing" : "notifications.channel.test")}
        </button>
      }
      onSubmit={onSubmit}
      onInput={({ target }) => target instanceof Element && errors.drop(target.getAttribute("name") ?? "")}
      onClose={onClose}
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
      {form && <ConfigFields form={form} config={channel?.config} errorOf={({ name }) => errors.of(inputName(name))} />}
      <Switch label={t("notifications.form.enabled")} checked={enabled} onChange={setEnabled} />
      <div ref={outcome} role="status" aria-live="polite">
        {message && (
          <p className={`message ${message.tone}`}>
            <Icon name={message.tone === "good" ? "up" : "alert"} />
            <span>{message.text}</span>
          </p>
        )}
      </div>
    </FormDialog>
  );
}
