import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { api, payload } from "../../api";
import { changeLanguage, type Language } from "../../i18n";
import { sessionAtom } from "../../session";
import { Icon } from "../controls/icon";
import { Menu } from "../controls/menu";
import { MenuChoices } from "../controls/menu-choices";

const choices = [
  { value: "zh-CN", label: "中文", lang: "zh-CN" },
  { value: "en-US", label: "English", lang: "en-US" },
] as const;

/** Alerts are written in the language of the interface. Should this get lost, signing in tells it again. */
const tellServer = (language: Language) => void payload(api.auth.language.put({ language })).catch(() => {});

export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  const signedIn = useAtomValue(sessionAtom).status === "authenticated";

  const choose = (language: Language) => {
    void changeLanguage(language);
    if (signedIn) tellServer(language);
  };

  return (
    <Menu label={t("common.language")} button={<Icon name="globe" />}>
      <MenuChoices choices={choices} chosen={i18n.language as Language} onChoose={choose} />
    </Menu>
  );
}
