import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Icon } from "./icon";

type Props = { name: string; viewAt: string; editAt: string; onDelete: () => void; viewAsText?: boolean };

/** What can be done with one row or card of a list: view, edit, delete. */
export function ItemActions({ name, viewAt, editAt, onDelete, viewAsText = false }: Props) {
  const { t } = useTranslation();
  const words = (action: string) => ({ "aria-label": `${action}: ${name}`, title: action });
  const view = t("common.action.view");
  return (
    <>
      <Link
        href={viewAt}
        className={viewAsText ? "button quiet compact" : "button quiet compact icon-only"}
        {...words(view)}
      >
        {viewAsText ? view : <Icon name="eye" />}
      </Link>
      <Link href={editAt} className="button quiet compact icon-only" {...words(t("common.action.edit"))}>
        <Icon name="edit" />
      </Link>
      <button
        type="button"
        className="quiet compact icon-only"
        onClick={onDelete}
        {...words(t("common.action.delete"))}
      >
        <Icon name="trash" />
      </button>
    </>
  );
}
