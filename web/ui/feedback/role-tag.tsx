import { useTranslation } from "react-i18next";

/** What somebody may do here, as one word. Any role but an administrator's is a plain user's. */
export function RoleTag({ role }: { role: string }) {
  const { t } = useTranslation();
  const known = role === "admin" ? "admin" : "user";
  return <span className={known === "admin" ? "tag strong" : "tag"}>{t(`users.role.${known}`)}</span>;
}
