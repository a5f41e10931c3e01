import { useTranslation } from "react-i18next";
import { Field } from "../../ui/controls/field";
import { type Role, roles } from "./user-body";

type Props = { value: Role; error?: string; hint?: string; fixed?: boolean };

export function RoleField({ value, error, hint, fixed = false }: Props) {
  const { t } = useTranslation();
  return (
    <Field label={t("users.form.role")} hint={hint ?? t("users.roleHint")} error={error}>
      <select name="role" defaultValue={value} disabled={fixed}>
        {roles.map((role) => (
          <option key={role} value={role}>
            {t(`users.role.${role}`)}
          </option>
        ))}
      </select>
    </Field>
  );
}
