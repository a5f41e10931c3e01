import { useTranslation } from "react-i18next";
import { MenuItem } from "../../ui/lists/row-menu";

export default function MoveItem({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <MenuItem icon="users" onClick={onClick}>
      {t("teams.move.action")}
    </MenuItem>
  );
}
