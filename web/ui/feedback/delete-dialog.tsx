import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isMissing } from "../../api";
import { useFailureText } from "../hooks/use-error-text";
import { ConfirmDialog } from "./confirm-dialog";
import { toast } from "./toast";

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
