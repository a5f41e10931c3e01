import { useTranslation } from "react-i18next";
import { codesOf, expectedText, isUnlisted, statusClasses } from "./status-codes";

type Props = { id?: string; defaultValue: number; required?: boolean };

export function StatusSelect({ defaultValue, ...control }: Props) {
  const { t } = useTranslation();
  return (
    <select name="expectedStatus" defaultValue={defaultValue} {...control}>
      {isUnlisted(defaultValue) && <option value={defaultValue}>{expectedText(defaultValue)}</option>}
      {statusClasses.map((group) => (
        <optgroup key={group} label={t(`monitors.form.group.${group}`)}>
          <option value={group}>{t("monitors.form.any", { group: `${group}xx` })}</option>
          {codesOf(group, defaultValue).map((code) => (
            <option key={code} value={code}>
              {code}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
