import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { Icon } from "../../ui/icon";
import type { Monitor } from "./calls";

type Props = { monitor: Monitor; onDelete: (monitor: Monitor) => void; viewAsText?: boolean };

export function MonitorActions({ monitor, onDelete, viewAsText = false }: Props) {
  const { t } = useTranslation();
  const { id, name } = monitor;
  const words = (action: string) => ({ "aria-label": `${action}: ${name}`, title: action });
  const view = t("common.action.view");
  return (
    <>
      <Link
        href={paths.monitor(id)}
        className={viewAsText ? "button quiet compact" : "button quiet compact icon-only"}
        {...words(view)}
      >
        {viewAsText ? view : <Icon name="eye" />}
      </Link>
      <Link href={paths.monitorEdit(id)} className="button quiet compact icon-only" {...words(t("common.action.edit"))}>
        <Icon name="edit" />
      </Link>
      <button
        type="button"
        className="quiet compact icon-only"
        onClick={() => onDelete(monitor)}
        {...words(t("common.action.delete"))}
      >
        <Icon name="trash" />
      </button>
    </>
  );
}
