import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import { Menu } from "../../../ui/controls/menu";
import { FURTHER_NAMES, hiddenColumnsAtom } from "./columns";

/** A menu of the columns that follow the first ones of the table of servers. It stays open for several choices. */
export function ColumnChooser() {
  const { t } = useTranslation();
  const [hidden, setHidden] = useAtom(hiddenColumnsAtom);
  return (
    <div className="column-chooser">
      <Menu
        label={t("agents.columns.choose")}
        button={
          <>
            <Icon name="columns" />
            <span className="label" aria-hidden="true">
              {t("agents.columns.title")}
            </span>
          </>
        }
      >
        <p className="menu-title">{t("agents.columns.hint")}</p>
        {FURTHER_NAMES.map((name) => {
          const isShown = !hidden.includes(name);
          return (
            <button
              key={name}
              type="button"
              role="menuitemcheckbox"
              aria-checked={isShown}
              onClick={(event) => {
                event.stopPropagation();
                setHidden(isShown ? [...hidden, name] : hidden.filter((one) => one !== name));
              }}
            >
              {t(`agents.column.${name}`)}
              {isShown && <Icon name="check" className="tick" />}
            </button>
          );
        })}
      </Menu>
    </div>
  );
}
