import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { ListToolbar } from "../../ui/list-toolbar";
import { sortAtom, viewAtom } from "./monitors-state";
import { type Filter, filters, sorts } from "./select-monitors";

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
    <ListToolbar
      search={{ label: t("monitors.search"), value: search, onChange: onSearch }}
      filter={{
        label: t("monitors.filter.label"),
        choices: filters.map((value) => ({ value, label: t(`monitors.filter.${value}`), count: counts[value] })),
        chosen: filter,
        onChoose: onFilter,
      }}
      sort={{
        label: t("monitors.sort.label"),
        choices: sorts.map((value) => ({ value, label: t(`monitors.sort.${value}`) })),
        chosen: sort,
        onChoose: setSort,
      }}
      view={{ chosen: view, onChoose: setView }}
    />
  );
}
