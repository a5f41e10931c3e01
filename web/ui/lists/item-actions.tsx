import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Icon } from "../controls/icon";
import { toast } from "../feedback/toast";

type Props = {
  name: string;
  /** Absent where editing is all there is to see. */
  viewAt?: string;
  editAt: string;
  onDelete: () => void;
  /** Why it can't be deleted; then the button says so instead. */
  keep?: string;
  viewAsText?: boolean;
};

/** What can be done with one row or card of a list: view, edit, delete. */
export function ItemActions({ name, viewAt, editAt, onDelete, keep, viewAsText = false }: Props) {
  const { t } = useTranslation();
  const words = (action: string) => ({
    "aria-label": t("common.labelled", { label: action, value: name }),
    title: action,
  });
  const view = t("common.action.view");
  return (
    <>
      {viewAt && (
        <Link
          href={viewAt}
          className={viewAsText ? "button quiet compact" : "button quiet compact icon-only"}
          {...words(view)}
        >
          {viewAsText ? view : <Icon name="eye" />}
        </Link>
      )}
      <Link href={editAt} className="button quiet compact icon-only" {...words(t("common.action.edit"))}>
        <Icon name="edit" />
      </Link>
      <button
        type="button"
        className="quiet compact icon-only"
        aria-disabled={keep ? true : undefined}
        onClick={keep ? () => toast(keep, { tone: "info" }) : onDelete}
        {...words(t("common.action.delete"))}
        {...(keep && { title: keep })}
      >
        <Icon name="trash" />
      </button>
    </>
  );
}
