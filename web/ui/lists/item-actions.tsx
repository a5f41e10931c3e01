import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Icon } from "../controls/icon";
import { IconButton } from "../controls/icon-button";
import { toast } from "../feedback/toast";

type Props = {
  name: string;
  /** Absent for items without a detail page. */
  viewAt?: string;
  editAt: string;
  onDelete: () => void;
  /** Why the item can't be deleted; the button then shows this as a notice. */
  keep?: string;
  viewAsText?: boolean;
};

/** The actions of a row or card in a list: view, edit, delete. */
export function ItemActions({ name, viewAt, editAt, onDelete, keep, viewAsText = false }: Props) {
  const { t } = useTranslation();
  const named = (action: string) => ({
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
          {...named(view)}
        >
          {viewAsText ? view : <Icon name="eye" />}
        </Link>
      )}
      <Link href={editAt} className="button quiet compact icon-only" {...named(t("common.action.edit"))}>
        <Icon name="edit" />
      </Link>
      <IconButton
        icon="trash"
        label={t("common.action.delete")}
        of={name}
        aria-disabled={keep ? true : undefined}
        onClick={keep ? () => toast(keep, { tone: "info" }) : onDelete}
        {...(keep && { title: keep })}
      />
    </>
  );
}
