import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { Icon } from "../../ui/icon";
import { Segments } from "../../ui/segments";
import { sortAtom, viewAtom } from "./monitors-state";
import { type Filter, filters, type Sort, sorts } from "./select-monitors";

type Props = {
  search: string;
  onSearch: (search: string) => void;
  filter: Filter;
  onFilter: (filter: Filter) => void;
  counts: Record<Filter, number>;
};

export function MonitorToolbar({ search, onSearch, filter, onFilter, counts }: Props) {
  const { t } = useTranslation();
  const [sort, setSort] = useAtom(sortAtom);
  const [view, setView] = useAtom(viewAtom);

  return (
    <div className="toolbar">
      <div className="search">
        <Icon name="search" />
        <input
          type="search"
          value={search}
          placeholder={t("monitors.search")}
          aria-label={t("monitors.search")}
          onChange={(event) => onSearch(event.target.value)}
        />
      </div>
      <Segments
        label={t("monitors.filter.label")}
        choices={filters.map((value) => ({ value, label: t(`monitors.filter.${value}`), count: counts[value] }))}
        chosen={filter}
        onChoose={onFilter}
      />
      <span className="spring" />
      <select
        value={sort}
        aria-label={t("monitors.sort.label")}
        onChange={(event) => setSort(event.target.value as Sort)}
      >
        {sorts.map((value) => (
          <option key={value} value={value}>
            {t(`monitors.sort.${value}`)}
          </option>
        ))}
      </select>
      <Segments
        label={t("monitors.view.label")}
        choices={[
          { value: "grid", label: <Icon name="grid" />, title: t("monitors.view.grid") },
          { value: "list", label: <Icon name="list" />, title: t("monitors.view.list") },
        ]}
        chosen={view}
        onChoose={setView}
      />
    </div>
  );
}
