import { useState } from "react";
import { useTranslation } from "react-i18next";
import { deviceOf } from "../../../../src/shared/device/device";
import { text } from "../../../lib/form";
import { Field } from "../../../ui/controls/field";
import { Ago } from "../../../ui/feedback/ago";
import { DeleteDialog } from "../../../ui/feedback/confirm-dialog";
import { FormDialog } from "../../../ui/feedback/form-dialog";
import { useFormat } from "../../../ui/hooks/use-format";
import { useSubmit } from "../../../ui/hooks/use-submit";
import { passkeyProblem } from "../../../ui/proof/passkey";
import { SettingRow } from "../setting-row";
import { addPasskey, type Passkey, removePasskey, renamePasskey } from "./api";

const MAX_NAME = 64;

type DialogProps = { passkey?: Passkey; onSaved: (recoveryCodes: readonly string[]) => void; onClose: () => void };

/** Asks for the name of a new passkey, or for another name. */
function NameDialog({ passkey, onSaved, onClose }: DialogProps) {
  const { t } = useTranslation();
  const form = useSubmit(t(passkey ? "factors.passkeys.renameFailed" : "factors.passkeys.failed"));
  const onValid = (fields: FormData) => {
    const name = text(fields, "name");
    form.submit(
      async () => (passkey ? void (await renamePasskey(passkey.id, name)) : addPasskey(name)),
      (added) => onSaved(added?.recovery_codes ?? []),
    );
  };
  return (
    <FormDialog
      of={form}
      title={t(passkey ? "factors.passkeys.renameTitle" : "factors.passkeys.addTitle")}
      text={passkey ? undefined : t("factors.passkeys.addText")}
      submit={passkey ? undefined : t("factors.passkeys.submit")}
      isDirty={() => false}
      onValid={onValid}
      onClose={onClose}
    >
      <Field label={t("factors.passkeys.name")} error={form.wrong("name")}>
        <input
          name="name"
          required
          maxLength={MAX_NAME}
          autoComplete="off"
          defaultValue={passkey?.name ?? deviceOf(navigator.userAgent)}
        />
      </Field>
    </FormDialog>
  );
}

function PasskeyDates({ of: { created_at, last_used_at, backed_up, host } }: { of: Passkey }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <span className="soft small">
      {t("factors.passkeys.addedOn", { day: format.day(created_at) })}
      {" · "}
      {last_used_at ? (
        <>
          {t("factors.passkeys.used")} <Ago time={last_used_at} />
        </>
      ) : (
        t("factors.passkeys.unused")
      )}
      {backed_up && ` · ${t("factors.passkeys.backedUp")}`}
      {host !== location.hostname && ` · ${t("factors.passkeys.elsewhere", { host })}`}
    </span>
  );
}

/** The dialog that is open. */
type Open = { dialog: "add" } | { dialog: "rename" | "remove"; passkey: Passkey };
type Props = {
  passkeys: readonly Passkey[];
  /** After a change, with new recovery codes if there are some. */
  onChanged: (recoveryCodes?: readonly string[]) => void;
};

/** The user's passkeys, with controls to add, rename and remove them. */
export function Passkeys({ passkeys, onChanged }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const problem = passkeyProblem();
  const saved = (codes: readonly string[]) => {
    close();
    onChanged(codes);
  };
  return (
    <>
      <SettingRow
        title={t("factors.passkeys.title")}
        text={problem ? t(`factors.passkeys.${problem}`) : t("factors.passkeys.text")}
      >
        {!problem && (
          <button type="button" className="plain" onClick={() => setOpen({ dialog: "add" })}>
            {t("factors.passkeys.add")}
          </button>
        )}
      </SettingRow>
      {passkeys.length > 0 && (
        <ul className="key-list">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <strong className="truncate" title={passkey.name}>
                  {passkey.name}
                </strong>
                <PasskeyDates of={passkey} />
              </div>
              {(["rename", "remove"] as const).map((dialog) => (
                <button
                  key={dialog}
                  type="button"
                  className="quiet compact"
                  aria-label={t(`factors.passkeys.${dialog}Of`, { name: passkey.name })}
                  onClick={() => setOpen({ dialog, passkey })}
                >
                  {t(dialog === "rename" ? "factors.passkeys.rename" : "factors.totp.remove")}
                </button>
              ))}
            </li>
          ))}
        </ul>
      )}
      {open?.dialog === "add" && <NameDialog onSaved={saved} onClose={close} />}
      {open?.dialog === "rename" && <NameDialog passkey={open.passkey} onSaved={saved} onClose={close} />}
      {open?.dialog === "remove" && (
        <DeleteDialog
          title={t("factors.passkeys.removeTitle", { name: open.passkey.name })}
          text={t("factors.passkeys.removeText")}
          done={t("factors.passkeys.removed", { name: open.passkey.name })}
          failed={t("factors.passkeys.removeFailed")}
          action={{ label: t("factors.totp.remove"), busy: t("factors.totp.removing") }}
          remove={() => removePasskey(open.passkey.id)}
          onDeleted={() => onChanged()}
          onClose={close}
        />
      )}
    </>
  );
}
