import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { TEAM_ROLES } from "../../../src/shared/accounts/teams";

/** Chooses the role of a member. */
export function RoleSelect(props: ComponentProps<"select">) {
  const { t } = useTranslation();
  return (
    <select {...props}>
      {TEAM_ROLES.map((role) => (
        <option key={role} value={role}>
          {t(`teams.role.${role}`)}
        </option>
      ))}
    </select>
  );
}
