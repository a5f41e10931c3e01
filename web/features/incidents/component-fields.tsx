import { useTranslation } from "react-i18next";
import { COMPONENT_STATUSES, type ComponentStatus } from "../../../src/shared/status/components";
import type { Affected, IncidentPage } from "./api";

type Props = {
  pages: readonly IncidentPage[];
  affected: Affected;
  onChange: (affected: Affected) => void;
  /** Whether the list is open at first. */
  open?: boolean;
};

/** The states of the components of some pages while the incident is open; a component that is left out is as measured. */
export function ComponentFields({ pages, affected, onChange, open = false }: Props) {
  const { t } = useTranslation();
  const withComponents = pages.filter(({ components }) => components.length > 0);
  if (withComponents.length === 0) return null;
  const set = (id: number, status: string) =>
    onChange([
      ...affected.filter((one) => one.id !== id),
      ...(status === "" ? [] : [{ id, status: status as ComponentStatus }]),
    ]);
  return (
    <details className="incident-components" open={open}>
      <summary>
        {t("incidents.editor.components")}{" "}
        {affected.length > 0 && <span className="soft figure">{affected.length}</span>}
      </summary>
      <p className="soft small">{t("incidents.editor.componentsHint")}</p>
      {withComponents.map((page) => (
        <fieldset key={page.id}>
          {withComponents.length > 1 && <legend className="soft small">{page.title || page.slug}</legend>}
          {page.components.map(({ id, name }) => (
            <label key={id} className="incident-component">
              <span className="truncate" title={name}>
                {name}
              </span>
              <select
                value={affected.find((one) => one.id === id)?.status ?? ""}
                onChange={(event) => set(id, event.target.value)}
              >
                <option value="">{t("incidents.editor.measured")}</option>
                {COMPONENT_STATUSES.map((status) => (
                  <option key={status} value={status}>
                    {t(`incidents.component.${status}`)}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </fieldset>
      ))}
    </details>
  );
}
