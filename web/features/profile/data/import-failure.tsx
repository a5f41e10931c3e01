import { useTranslation } from "react-i18next";
import { CallError } from "../../../api";
import { Icon } from "../../../ui/controls/icon";
import { useErrorText } from "../../../ui/hooks/use-error-text";
import { useFieldWords } from "../../../ui/hooks/use-field-errors";

const shownFields = 5;

/** Why a file was not imported, and where in it. */
export function ImportFailure({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const words = useErrorText();
  const fieldWords = useFieldWords();
  const fields = error instanceof CallError ? error.fields : [];
  return (
    <div className="message bad">
      <Icon name="alert" />
      <div>
        {t("profile.data.importFailed")}: {words(error)}
        {fields.length > 0 && (
          <ul className="plain-list">
            {fields.slice(0, shownFields).map(({ path, message, code }) => (
              <li key={path}>
                <code>{path}</code> {fieldWords(path.split(".").at(-1) ?? "", message, code)}
              </li>
            ))}
            {fields.length > shownFields && <li>{t("profile.data.more", { count: fields.length - shownFields })}</li>}
          </ul>
        )}
      </div>
    </div>
  );
}
