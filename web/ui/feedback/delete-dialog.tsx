import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isMissing } from "../../api";
import { useFailureText } from "../hooks/use-error-text";
import { ConfirmDialog } from "./confirm-dialog";
import { toast } from "./toast";

type Props = {
  title: string;
  /** What goes with it. */
  text: string;
  /** What is said afterwards. */
  done: string;
  failed: string;
  /** The reason where neither page nor server has one. */
  otherwise?: string;
  /** The words on the button, before and while. */
  action?: { label: string; busy: string };
  remove: () => Promise<unknown>;
  onDeleted: () => void;
  onClose: () => void;
  children?: ReactNode;
};

/** Asks before something is deleted, does it, and tells how it went. */
export function DeleteDialog({ done, failed, otherwise, action, remove, onDeleted, ...question }: Props) {
  const { t } = useTranslation();
  const failureText = useFailureText();

  const onConfirm = async () => {
    try {
      await remove();
    } catch (error) {
      // Somebody else was first: it is gone, as was wanted.
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
