import { useTranslation } from "react-i18next";
import { CallError } from "../../../api";
import { Icon } from "../../../ui/controls/icon";
import { useErrorText } from "../../../ui/hooks/use-error-text";
import { useFieldErrorText } from "../../../ui/hooks/use-field-errors";

const MAX_FIELDS = 5;

/** Why a file was not imported, with its invalid fields. */
export function ImportFailure({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const fieldErrorText = useFieldErrorText();
  const fields = error instanceof CallError ? error.fields : [];
  return (
    <div className="message bad">
      <Icon name="alert" />
      <div>
        {t("profile.data.importFailed")}: {errorText(error)}
        {fields.length > 0 && (
          <ul className="plain-list">
            {fields.slice(0, MAX_FIELDS).map(({ path, message, code }) => (
              <li key={path}>
                <code>{path}</code> {fieldErrorText(path.split(".").at(-1) ?? "", message, code)}
              </li>
            ))}
            {fields.length > MAX_FIELDS && <li>{t("profile.data.more", { count: fields.length - MAX_FIELDS })}</li>}
          </ul>
        )}
      </div>
    </div>
  );
}
