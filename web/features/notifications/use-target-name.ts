import { useTranslation } from "react-i18next";
import type { TargetKey } from "./rules/setting";

/** What a target is called: the global ones in the reader's language, others by their own name. */
export const useTargetName = () => {
  const { t } = useTranslation();
  return (key: TargetKey, name: string) => {
    if (key === "global-monitor") return t("notifications.setting.monitors");
    if (key === "global-agent") return t("notifications.setting.agents");
    return name;
  };
};
