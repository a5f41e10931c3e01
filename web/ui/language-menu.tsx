import { useTranslation } from "react-i18next";
import { changeLanguage, type Language } from "../i18n";
import { Icon } from "./icon";
import { Menu } from "./menu";
import { MenuChoices } from "./menu-choices";

const choices = [
  { value: "zh-CN", label: "中文", lang: "zh-CN" },
  { value: "en-US", label: "English", lang: "en-US" },
] as const;

export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  return (
    <Menu label={t("common.language")} button={<Icon name="globe" />}>
      <MenuChoices
        choices={choices}
        chosen={i18n.language as Language}
        onChoose={(language) => void changeLanguage(language)}
      />
    </Menu>
  );
}
