import { useTranslation } from "react-i18next";
import { fillIncidentText, type TextVariable } from "../../../src/shared/status/incidents";
import type { IncidentText } from "./api";

type Props = {
  texts: readonly IncidentText[];
  /** The values of the variables. */
  values: Readonly<Record<TextVariable, string>>;
  onChoose: (text: Pick<IncidentText, "title" | "body" | "status">) => void;
};

/** A choice of templates, whose variables are filled in. Renders nothing where there are none. */
export function TextChoice({ texts, values, onChoose }: Props) {
  const { t } = useTranslation();
  if (texts.length === 0) return null;
  return (
    <label className="incident-template">
      <span className="visually-hidden">{t("incidents.editor.template")}</span>
      <select
        value=""
        onChange={(event) => {
          const chosen = texts.find(({ id }) => String(id) === event.target.value);
          if (!chosen) return;
          const { status, title, body } = chosen;
          onChoose({ status, title: fillIncidentText(title, values), body: fillIncidentText(body, values) });
        }}
      >
        <option value="">{`${t("incidents.editor.template")}…`}</option>
        {texts.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
