import { useAtomValue } from "jotai";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { base } from "../../lib/navigation/base-path";
import { chooseTeam, chosenTeam, keepTeam } from "../../lib/storage";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { Menu, MenuChoices } from "../../ui/controls/menu";
import { teamsAtom } from "./api";

/** Shows another team: the screen is loaded again, and its list in place of an item that may be of another team. */
const show = (id: string, path: string): void => {
  chooseTeam(id);
  location.assign(`${base}/${path.split("/")[1] ?? ""}`);
};

/** Chooses the team that this tab shows, or all of the user's; in the navigation bar of users with several. */
export default function TeamSwitch() {
  const { t } = useTranslation();
  const [path] = useLocation();
  const { data } = useAtomValue(teamsAtom);
  const chosen = chosenTeam();
  const known = chosen === "" || data?.some(({ id }) => String(id) === chosen);

  useEffect(() => {
    if (known) keepTeam(chosen);
    // Its user is no member any more.
    else if (data) show("", path);
  }, [known, chosen, data, path]);

  if (!data || data.length < 2) return null;
  const choices = [
    ...data.map(({ id, name, personal }) => ({ value: String(id), label: personal ? t("teams.mine") : name })),
    { value: "", label: t("teams.all") },
  ];
  return (
    <Menu
      label={t("teams.switch")}
      button={
        <>
          <Icon name="users" />
          <span className="team-name truncate">{choices.find(({ value }) => value === chosen)?.label}</span>
          <Icon name="caret" className="menu-caret" />
        </>
      }
    >
      <MenuChoices choices={choices} chosen={chosen} onChoose={(id) => show(id, path)} />
      <hr />
      <Link href={paths.profileSection("team")} role="menuitem">
        <Icon name="users" />
        {t("teams.manage")}
      </Link>
    </Menu>
  );
}
