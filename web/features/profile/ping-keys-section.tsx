import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { text } from "../../lib/form";
import { Copyable } from "../../ui/controls/copy-button";
import { Field } from "../../ui/controls/field";
import { Icon } from "../../ui/controls/icon";
import { DeleteDialog } from "../../ui/feedback/confirm-dialog";
import { FormDialog } from "../../ui/feedback/form-dialog";
import { useErrorText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { useSubmit } from "../../ui/hooks/use-submit";
import { RevokeAction } from "../teams/key-row";
import { createPingKey, type PingKey, pingKeysAtom, revokePingKey } from "./ping-keys";

const MAX_LENGTH = 64;

function PingKeyDialog({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const form = useSubmit(t("profile.pingKeys.createFailed"));
  const onValid = (fields: FormData) =>
    form.submit(async () => {
      await createPingKey(text(fields, "key"));
      onCreated();
    });
  return (
    <FormDialog
      of={form}
      title={t("profile.pingKeys.submit")}
      submit={t("profile.pingKeys.submit")}
      onValid={onValid}
      onClose={onClose}
    >
      <Field label={t("profile.pingKeys.key")} hint={t("profile.pingKeys.keyHint")} optional error={form.wrong("key")}>
        <input name="key" maxLength={MAX_LENGTH} autoComplete="off" spellCheck={false} className="code" />
      </Field>
    </FormDialog>
  );
}

/** The user's ping keys, and the button that opens the form to create one. */
export function PingKeysSection() {
  const { t } = useTranslation();
  const format = useFormat();
  const errorText = useErrorText();
  const [{ data, error }, refresh] = useAtom(pingKeysAtom);
  const [adding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<PingKey>();
  return (
    <section className="card">
      <div className="section-head">
        <h2>{t("profile.pingKeys.title")}</h2>
        <button type="button" className="plain" onClick={() => setAdding(true)}>
          <Icon name="plus" />
          {t("profile.pingKeys.submit")}
        </button>
      </div>
      <p className="soft">{t("profile.pingKeys.text")}</p>
      {!data && error !== undefined && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {t("profile.pingKeys.loadFailed")}: {errorText(error)}
          <button type="button" className="quiet compact" onClick={() => void refresh()}>
            {t("common.action.retry")}
          </button>
        </p>
      )}
      {data && data.keys.length > 0 && (
        <ul className="key-list">
          {data.keys.map((one) => (
            <li key={one.id}>
              <div>
                <Copyable what={t("profile.pingKeys.key")} text={one.key} />
                <span className="soft small">{t("profile.keys.created", { time: format.day(one.created_at) })}</span>
              </div>
              <RevokeAction name={one.key} onRevoke={() => setRevoking(one)} />
            </li>
          ))}
        </ul>
      )}
      {adding && (
        <PingKeyDialog
          onCreated={() => {
            setAdding(false);
            void refresh();
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {revoking && (
        <DeleteDialog
          title={t("profile.pingKeys.revokeTitle", { key: revoking.key })}
          text={t("profile.pingKeys.revokeText")}
          done={t("profile.pingKeys.revoked")}
          failed={t("profile.pingKeys.revokeFailed")}
          action={{ label: t("profile.keys.revoke"), busy: t("profile.keys.revoking") }}
          remove={() => revokePingKey(revoking.id)}
          onDeleted={() => void refresh()}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </section>
  );
}
