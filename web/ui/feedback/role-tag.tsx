import { useTranslation } from "react-i18next";

/** A user's role. Every role but `admin` is shown as user. */
export function RoleTag({ role }: { role: string }) {
  const { t } = useTranslation();
  const known = role === "admin" ? "admin" : "user";
  return <span className={known === "admin" ? "tag strong" : "tag"}>{t(`users.role.${known}`)}</span>;
}
