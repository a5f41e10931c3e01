import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { paths } from "../../paths";
import { screenLinks } from "../../screens";
import { sendInBackground, sessionAtom, signOut } from "../../session";
import { Icon } from "../controls/icon";
import { Menu } from "../controls/menu";
import { ThemeChoices } from "./theme-choices";

/** The menu of the signed-in user. `themed`: with the choice of the theme. */
export function UserMenu({ themed = true }: { themed?: boolean }) {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const { user, token } = useAtomValue(sessionAtom);
  const name = user?.username ?? "";
  // The first character is not always one unit of UTF-16.
  const [letter = "U"] = name;

  const button = (
    <>
      <span className="avatar" aria-hidden="true">
        {letter.toUpperCase()}
      </span>
      <span className="user-name truncate">{name}</span>
      <Icon name="caret" className="menu-caret" />
    </>
  );

  return (
    <Menu label={t("common.user.menu")} button={button}>
      <div className="menu-title menu-user">{name}</div>
      {screenLinks("user menu", user?.role === "admin").map(({ path, label, icon }) => (
        <Link key={path} href={path} role="menuitem">
          {icon && <Icon name={icon} />}
          {t(label)}
        </Link>
      ))}
      {themed && (
        <>
          <hr />
          <div className="menu-title">{t("common.theme.label")}</div>
          <ThemeChoices />
        </>
      )}
      <hr />
      <button
        type="button"
        role="menuitem"
        onClick={() => {
          // The page drops the token at once, whether or not the call succeeds.
          sendInBackground("POST", "api/auth/logout", token);
          signOut();
          navigate(paths.login);
        }}
      >
        <Icon name="leave" />
        {t("common.user.logout")}
      </button>
    </Menu>
  );
}
