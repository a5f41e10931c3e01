import { useAtomValue } from "jotai";
import { type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { useHydrated } from "../../lib/hooks/use-hydrated";
import { useMedia } from "../../lib/hooks/use-media";
import { ALL_LINKS, isActive, linkedScreens, screenLinks } from "../../lib/navigation/linked-screens";
import { themeAtom } from "../../lib/theme";
import { sessionAtom } from "../../session";
import { Menu } from "../controls/menu";
import { PageIcon } from "../controls/page-icon";
import { Mark } from "./mark";
import { LanguageMenu, ThemeChoices, UserMenu } from "./menus";

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

type NavbarProps = { themed?: boolean; forGuest?: boolean; bare?: boolean; search?: ReactNode };

/**
 * The bar above each page; on phones its links are a bar below the page. `themed`: with the choice of the theme, which the
 * public status page does not have. `search` is shown before the menus. `forGuest`: as people who are not signed in see it. `bare`:
 * without links to the web interface, at the own domain of a status page.
 */
export function Navbar({ themed = true, forGuest = false, bare, search }: NavbarProps) {
  const { t } = useTranslation();
  const [location] = useLocation();
  const scrolled = useScrolled();
  const { status, user } = useAtomValue(sessionAtom);
  const signedIn = useHydrated() && status === "authenticated" && !forGuest;
  const isAdmin = user?.role === "admin";
  const hasRoom = useMedia(ALL_LINKS);

  return (
    <header className={scrolled ? "navbar scrolled" : "navbar"}>
      <div className="navbar-row">
        <Brand signedIn={signedIn} />
        {signedIn && (
          <nav aria-label={t("common.nav.label")}>
            <ul>
              {screenLinks("navbar", isAdmin, hasRoom).map(({ path, label, icon }) => (
                <li key={path}>
                  <Link href={path} aria-current={isActive(location, path) ? "page" : undefined}>
                    <PageIcon name={icon} />
                    {t(label)}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <div className="navbar-end">
          {signedIn && search}
          <LanguageMenu />
          {signedIn ? <UserMenu themed={themed} /> : !bare && <SignedOutEnd themed={themed} />}
        </div>
      </div>
    </header>
  );
}

/** Leads to the home page, which is for visitors: a click of a signed-in user opens the dashboard. */
function Brand({ signedIn }: { signedIn: boolean }) {
  const [, navigate] = useLocation();
  const toDashboard = (event: MouseEvent) => {
    event.preventDefault();
    navigate(linkedScreens.dashboard.path);
  };
  return (
    <Link href={linkedScreens.home.path} className="brand" onClick={signedIn ? toDashboard : undefined}>
      <Mark />
      Wakeful
    </Link>
  );
}

function SignedOutEnd({ themed }: { themed: boolean }) {
  const { login } = linkedScreens;
  const { t } = useTranslation();
  const theme = useAtomValue(themeAtom);
  const [location] = useLocation();
  return (
    <>
      {themed && (
        <Menu label={t("common.theme.label")} button={<PageIcon name={theme === "dark" ? "moon" : "sun"} />}>
          <ThemeChoices />
        </Menu>
      )}
      <Link href={login.path} className="button plain" aria-current={location === login.path ? "page" : undefined}>
        {t("common.nav.login")}
      </Link>
    </>
  );
}
