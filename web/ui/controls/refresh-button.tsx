import { useTranslation } from "react-i18next";
import { IconButton } from "./icon-button";

export function RefreshButton({ loading, onRefresh }: { loading: boolean; onRefresh: () => void }) {
  const { t } = useTranslation();
  return (
    <IconButton
      icon="refresh"
      label={t("common.action.refresh")}
      className={loading ? "plain icon-only turning" : "plain icon-only"}
      onClick={onRefresh}
    />
  );
}
