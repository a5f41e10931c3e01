import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { ListToolbar } from "../../ui/list-toolbar";
import { sortAtom, viewAtom } from "./agents-state";
import { type Filter, filters, sorts } from "./select-agents";

type Props = {
  search: string;
  onSearch: (search: string) => void;
  filter: Filter;
  onFilter: (filter: Filter) => void;
  counts: Record<Filter, number>;
};

export function AgentToolbar({ search, onSearch, filter, onFilter, counts }: Props) {
  const { t } = useTranslation();
  const [sort, setSort] = useAtom(sortAtom);
  const [view, setView] = useAtom(viewAtom);

  return (
    <ListToolbar
      search={{ label: t("agents.search"), value: search, onChange: onSearch }}
      filter={{
        label: t("agents.filter"),
        choices: filters.map((value) => ({
          value,
          label: t(value === "all" ? "agents.all" : `agents.status.${value}`),
          count: counts[value],
        })),
        chosen: filter,
        onChoose: onFilter,
      }}
      sort={{
        label: t("agents.sort.label"),
        choices: sorts.map((value) => ({ value, label: t(`agents.sort.${value}`) })),
        chosen: sort,
        onChoose: setSort,
      }}
      view={{ chosen: view, onChoose: setView }}
    />
  );
}
