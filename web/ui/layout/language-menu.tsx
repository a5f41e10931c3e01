import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import type { Language } from "../../i18n";
import { sendInBackground, sessionAtom } from "../../session";
import { Icon } from "../controls/icon";
import { Menu } from "../controls/menu";
import { MenuChoices } from "../controls/menu-choices";

const choices = [
  { value: "zh-CN", label: "中文", lang: "zh-CN" },
  { value: "en-US", label: "English", lang: "en-US" },
] as const;

export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  const { status, token } = useAtomValue(sessionAtom);

  const choose = (language: Language) => {
    void i18n.changeLanguage(language);
    // Alerts are written in the language of the interface.
    if (status === "authenticated") sendInBackground("PUT", "api/auth/language", token, { language });
  };

  return (
    <Menu label={t("common.language")} button={<Icon name="globe" />}>
      <MenuChoices choices={choices} chosen={i18n.language as Language} onChoose={choose} />
    </Menu>
  );
}
