import { useTranslation } from "react-i18next";
import { Icon } from "../controls/icon";
import { Search } from "../controls/search";
import { Segments } from "../controls/segments";

type Choices<T extends string> = {
  label: string;
  choices: readonly { value: T; label: string; count?: number }[];
  chosen: T;
  onChoose: (value: T) => void;
};
type Props<F extends string, S extends string> = {
  search: { label: string; value: string; onChange: (value: string) => void };
  filter: Choices<F>;
  sort: Choices<S>;
  view: { chosen: View; onChoose: (view: View) => void };
};
export type View = "grid" | "list";

/** The controls above a list: search, filter, sort, and the choice between cards and rows. */
export function ListToolbar<F extends string, S extends string>({ search, filter, sort, view }: Props<F, S>) {
  const { t } = useTranslation();
  return (
    <div className="toolbar">
      <Search {...search} />
      <Segments {...filter} />
      <span className="spring" />
      <select value={sort.chosen} aria-label={sort.label} onChange={(event) => sort.onChoose(event.target.value as S)}>
        {sort.choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Segments
        label={t("common.view.label")}
        choices={[
          { value: "grid", label: <Icon name="grid" />, title: t("common.view.grid") },
          { value: "list", label: <Icon name="list" />, title: t("common.view.list") },
        ]}
        {...view}
      />
    </div>
  );
}
