import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { themeAtom, themes } from "../../lib/theme";
import { Icon } from "../controls/icon";
import { MenuChoices } from "../controls/menu-choices";

const icons = { system: "screen", light: "sun", dark: "moon" } as const;

export function ThemeChoices() {
  const { t } = useTranslation();
  const [theme, setTheme] = useAtom(themeAtom);
  const choices = themes.map((value) => ({
    value,
    label: (
      <>
        <Icon name={icons[value]} />
        {t(`common.theme.${value}`)}
      </>
    ),
  }));
  return <MenuChoices choices={choices} chosen={theme} onChoose={setTheme} />;
}
