import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DeleteDialog } from "../../ui/feedback/confirm-dialog";
import { resetFactors, type User } from "./api";

type Props = { user: Pick<User, "id" | "username">; onReset: () => void };

/** Removes the second factors of another user. */
export default function ResetFactors({ user: { id, username: name }, onReset }: Props) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  return (
    <section className="card">
      <h2>{t("factors.reset.title")}</h2>
      <p className="soft">{t("factors.reset.text")}</p>
      <div className="actions">
        <button type="button" className="plain" onClick={() => setAsking(true)}>
          {t("factors.reset.action")}
        </button>
      </div>
      {isAsking && (
        <DeleteDialog
          title={t("factors.reset.confirmTitle", { name })}
          text={t("factors.reset.text")}
          done={t("factors.reset.done", { name })}
          failed={t("factors.reset.failed")}
          action={{ label: t("factors.totp.remove"), busy: t("factors.totp.removing") }}
          remove={() => resetFactors(id)}
          onDeleted={onReset}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
