import { useTranslation } from "react-i18next";
import type { Field } from "./document";
import { Prose } from "./text";

/** Parameters, or the fields of a body or an answer, each with its type and meaning. */
export function FieldList({ fields, withRequired = false }: { fields: Field[]; withRequired?: boolean }) {
  const { t } = useTranslation();
  return (
    <ul className="fields">
      {fields.map(({ name, place, type, required, description, depth }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names repeat at other depths, and the list never changes
        <li key={index} className={`field depth-${depth}`}>
          <div className="field-head">
            <code className="field-name">{name}</code>
            <span className="field-type">{type}</span>
            {place && <span className="field-place">{t(`docs.places.${place as "path" | "query"}`)}</span>}
            {withRequired && required && <span className="field-required">{t("docs.required")}</span>}
          </div>
          {description && (
            <p>
              <Prose text={description} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
