import { useAtom, useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import type { Language } from "../../../src/shared/language";
import { useMedia } from "../../lib/hooks/use-media";
import { base } from "../../lib/navigation/base-path";
import { ALL_LINKS, linkedScreens, screenLinks } from "../../lib/navigation/linked-screens";
import { themeAtom, themes } from "../../lib/theme";
import { endSession, sendInBackground, sessionAtom } from "../../session";
import { Menu, MenuChoices } from "../controls/menu";
import { PageIcon } from "../controls/page-icon";

const icons = { system: "screen", light: "sun", dark: "moon" } as const;

export function ThemeChoices() {
  const { t } = useTranslation();
  const [theme, setTheme] = useAtom(themeAtom);
  const choices = themes.map((value) => ({
    value,
    label: (
      <>
        <PageIcon name={icons[value]} />
        {t(`common.theme.${value}`)}
      </>
    ),
  }));
  return <MenuChoices choices={choices} chosen={theme} onChoose={setTheme} />;
}

export const languages = [
  { value: "zh-CN", label: "中文", lang: "zh-CN" },
  { value: "en-US", label: "English", lang: "en-US" },
] as const;

/** Chooses the language of the interface, and of the user's alerts with it. */
export const useChooseLanguage = () => {
  const { i18n } = useTranslation();
  const { status, token } = useAtomValue(sessionAtom);
  return (language: Language) => {
    void i18n.changeLanguage(language);
    if (status === "authenticated") sendInBackground("PUT", "api/auth/language", token, { language });
  };
};

export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  const choose = useChooseLanguage();

  return (
    <Menu label={t("common.language")} button={<PageIcon name="globe" />}>
      <MenuChoices choices={languages} chosen={i18n.language as Language} onChoose={choose} />
    </Menu>
  );
}

/** The menu of the signed-in user. `themed`: with the choice of the theme. */
export function UserMenu({ themed = true }: { themed?: boolean }) {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const { user } = useAtomValue(sessionAtom);
  const hasRoom = useMedia(ALL_LINKS);
  const name = user?.username ?? "";
  // The first character is not always one unit of UTF-16.
  const [letter = "U"] = name;

  const links = screenLinks("user menu", user?.role === "admin", hasRoom);
  const linksFor = (wanted: (typeof links)[number]["access"]) =>
    links
      .filter(({ access }) => access === wanted)
      .map(({ path, label, icon }) => (
        <Link key={path} href={path} role="menuitem">
          <PageIcon name={icon} />
          {t(label)}
        </Link>
      ));

  const button = (
    <>
      <span className="avatar" aria-hidden="true">
        {letter.toUpperCase()}
      </span>
      <span className="user-name truncate">{name}</span>
      <PageIcon name="caret" className="menu-caret" />
    </>
  );

  return (
    <Menu label={t("common.user.menu")} button={button}>
      <div className="menu-title menu-user">{name}</div>
      {linksFor("user")}
      <a href={`${base}/api/docs`} target="_blank" rel="noopener" role="menuitem">
        <PageIcon name="page" />
        {t("common.user.docs")}
      </a>
      {user?.role === "admin" && (
        <>
          <hr />
          <div className="menu-title">{t("common.user.admin")}</div>
          {linksFor("admin")}
        </>
      )}
      {themed && (
        <>
          <hr />
          <div className="menu-title">{t("common.theme.label")}</div>
          <ThemeChoices />
        </>
      )}
      <hr />
      <button type="button" role="menuitem" onClick={() => endSession(() => navigate(linkedScreens.login.path))}>
        <PageIcon name="leave" />
        {t("common.user.logout")}
      </button>
    </Menu>
  );
}
