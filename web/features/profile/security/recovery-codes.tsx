import { useId } from "react";
import { useTranslation } from "react-i18next";
import { saveFile } from "../../../lib/copy";
import { CopyButton } from "../../../ui/controls/copy-button";
import { Icon } from "../../../ui/controls/icon";
import { useModal } from "../../../ui/feedback/confirm-dialog";

/** New recovery codes, which are shown once: only the button closes the dialog. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation();
  const dialog = useModal();
  const id = useId();
  const all = codes.join("\n");
  return (
    <dialog ref={dialog} aria-labelledby={id} onCancel={(event) => event.preventDefault()}>
      <article>
        <h2 id={id}>{t("factors.recovery.shownTitle")}</h2>
        <p className="soft">{t("factors.recovery.shown")}</p>
        <ul className="recovery-codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className="actions">
          <CopyButton what={t("factors.recovery.all")} text={all} />
          <button
            type="button"
            className="plain compact first"
            onClick={() => saveFile("wakeful-recovery-codes.txt", `${all}\n`, "text/plain")}
          >
            <Icon name="download" />
            {t("factors.recovery.save")}
          </button>
          <button type="button" onClick={onClose}>
            {t("factors.recovery.done")}
          </button>
        </div>
      </article>
    </dialog>
  );
}
