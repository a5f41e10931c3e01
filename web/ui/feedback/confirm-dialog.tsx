import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isMissing } from "../../api";
import { useFailureText } from "../hooks/use-error-text";
import { toast } from "./toast";

/** A ref for a `<dialog>`: opens it as modal on mount and returns the focus to the element that had it on unmount. */
export const useModal = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return dialog;
};

type ConfirmDialogProps = {
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
export function ConfirmDialog({ title, text, confirm, busy, onConfirm, onClose, children }: ConfirmDialogProps) {
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
          <button type="button" className="quiet" disabled={working} onClick={onClose}>
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

type Props = {
  title: string;
  /** What else is deleted. */
  text: string;
  /** The notice after success. */
  done: string;
  failed: string;
  /** The reason where neither the locale nor the server has one. */
  otherwise?: string;
  /** The label of the button, before and during the call. */
  action?: { label: string; busy: string };
  remove: () => Promise<unknown>;
  onDeleted: () => void;
  onClose: () => void;
  children?: ReactNode;
};

/** Confirms a deletion, performs it and shows the outcome as a notice. */
export function DeleteDialog({ done, failed, otherwise, action, remove, onDeleted, ...question }: Props) {
  const { t } = useTranslation();
  const failureText = useFailureText();

  const onConfirm = async () => {
    try {
      await remove();
    } catch (error) {
      // Already deleted elsewhere: the outcome is the same.
      if (!isMissing(error)) return toast(failureText(failed, error, otherwise), { tone: "bad" });
    }
    toast(done);
    onDeleted();
  };

  return (
    <ConfirmDialog
      {...question}
      confirm={action?.label ?? t("common.action.delete")}
      busy={action?.busy ?? t("common.action.deleting")}
      onConfirm={onConfirm}
    />
  );
}
