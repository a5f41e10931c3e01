import { useAtomValue } from "jotai";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import mark from "../../assets/mark.svg";
import { themeAtom } from "../../lib/theme";
import { isActive, paths } from "../../paths";
import { screenLinks } from "../../screens";
import { sessionAtom } from "../../session";
import { Icon } from "../controls/icon";
import { Menu } from "../controls/menu";
import { LanguageMenu } from "./language-menu";
import { ThemeChoices } from "./theme-choices";
import { UserMenu } from "./user-menu";

const useScrolled = () => {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = () => setScrolled(scrollY > 10);
    look();
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, []);
  return scrolled;
};

export function Navbar() {
  const { t } = useTranslation();
  const [location] = useLocation();
  const scrolled = useScrolled();
  const { status, user } = useAtomValue(sessionAtom);
  const [open, setOpen] = useState(false);
  const signedIn = status === "authenticated";
  const isAdmin = user?.role === "admin";

  return (
    <header className={scrolled ? "navbar scrolled" : "navbar"}>
      <div className="navbar-row">
        <Link href={paths.home} className="brand">
          <img src={mark} alt="" width="28" height="28" />
          Wakeful
        </Link>
        {signedIn && (
          <nav id="main-links" aria-label={t("common.nav.label")} className={open ? "open" : undefined}>
            <ul>
              {screenLinks("navbar", isAdmin).map(({ path, label }) => (
                <li key={path}>
                  <Link
                    href={path}
                    aria-current={isActive(location, path) ? "page" : undefined}
                    onClick={() => setOpen(false)}
                  >
                    {t(label)}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <div className="navbar-end">
          <LanguageMenu />
          {signedIn ? <UserMenu /> : <SignedOutEnd />}
          {signedIn && (
            <button
              type="button"
              className="quiet icon-only nav-toggle"
              aria-expanded={open}
              aria-controls="main-links"
              aria-label={t(open ? "common.nav.close" : "common.nav.open")}
              onClick={() => setOpen(!open)}
            >
              <Icon name={open ? "cross" : "menu"} />
            </button>
          )}
        </div>
      </div>
    </header>
  );
}

function SignedOutEnd() {
  const { t } = useTranslation();
  const theme = useAtomValue(themeAtom);
  return (
    <>
      <Menu label={t("common.theme.label")} button={<Icon name={theme === "dark" ? "moon" : "sun"} />}>
        <ThemeChoices />
      </Menu>
      <Link href={paths.login} className="button plain">
        {t("common.nav.login")}
      </Link>
    </>
  );
}
