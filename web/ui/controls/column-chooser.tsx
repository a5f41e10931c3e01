import { useAtom, type WritableAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { Icon } from "./icon";
import { Menu } from "./menu";

type Props<Name extends string> = {
  columns: readonly { name: Name; label: string }[];
  hint?: string;
  /** The columns that the viewer does not want to see. */
  hiddenAtom: WritableAtom<readonly Name[], [readonly Name[]], void>;
};

/** A menu of the columns of a table that can be hidden. It stays open for several choices. */
export function ColumnChooser<Name extends string>({ columns, hint, hiddenAtom }: Props<Name>) {
  const { t } = useTranslation();
  const [hidden, setHidden] = useAtom(hiddenAtom);
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
        {hint && <p className="menu-title">{hint}</p>}
        {columns.map(({ name, label }) => {
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
              {label}
              {isShown && <Icon name="check" className="tick" />}
            </button>
          );
        })}
      </Menu>
    </div>
  );
}
