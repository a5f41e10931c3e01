import { useTranslation } from "react-i18next";
import { Icon } from "./icon";

export function RefreshButton({ loading, onRefresh }: { loading: boolean; onRefresh: () => void }) {
  const { t } = useTranslation();
  const label = t("common.action.refresh");
  return (
    <button
      type="button"
      className={loading ? "plain icon-only turning" : "plain icon-only"}
      aria-label={label}
      title={label}
      onClick={onRefresh}
    >
      <Icon name="refresh" />
    </button>
  );
}
