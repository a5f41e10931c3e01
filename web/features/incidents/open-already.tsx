import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { useFormat } from "../../ui/hooks/use-format";
import type { IncidentSummary } from "./api";

type Props = {
  open: readonly IncidentSummary[];
  /** The ids of the components that a new incident is about. */
  components: readonly number[];
};

/** The open incidents that name a component of a new one, each with the way to its next update instead. */
export function OpenAlready({ open, components }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const found = open.flatMap(({ id, title, components: named }) => {
    const names = named.filter((one) => components.includes(one.id)).map(({ name }) => name);
    return names.length > 0 ? [{ id, title, names: [...new Set(names)] }] : [];
  });
  if (found.length === 0) return null;
  return (
    <ul className="incident-already">
      {found.map(({ id, title, names }) => (
        <li key={id} className="message warn">
          <Icon name="alert" />
          <span>
            {t("incidents.editor.already", { names: format.list(names), title })}{" "}
            <Link href={`${paths.incidents}?incident=${id}`}>{t("incidents.editor.postInstead")}</Link>
          </span>
        </li>
      ))}
    </ul>
  );
}
