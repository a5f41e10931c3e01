import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useModal } from "../hooks/use-modal";

type Props = {
  title: string;
  text: string;
  confirm: string;
  busy: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
  /** Further consequences, below the text. */
  children?: ReactNode;
};

/** A modal confirmation, open while it is mounted. Cancel has the focus. */
export function ConfirmDialog({ title, text, confirm, busy, onConfirm, onClose, children }: Props) {
  const { t } = useTranslation();
  const dialog = useModal();
  const [working, setWorking] = useState(false);
  const id = useId();

  const onYes = async () => {
    setWorking(true);
    await onConfirm();
    onClose();
  };

  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => working && event.preventDefault()}
      onClose={onClose}
    >
      <article>
        <h2 id={`${id}-title`}>{title}</h2>
        <div id={`${id}-text`} className="soft">
          <p>{text}</p>
          {children}
        </div>
        <div className="actions">
          <button type="button" className="plain" disabled={working} onClick={onClose}>
            {t("common.action.cancel")}
          </button>
          <button type="button" className="danger" disabled={working} onClick={() => void onYes()}>
            {working ? busy : confirm}
          </button>
        </div>
      </article>
    </dialog>
  );
}
