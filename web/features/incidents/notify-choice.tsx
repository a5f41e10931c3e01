import { useTranslation } from "react-i18next";
import type { IncidentPage } from "./api";

type Props = { pages: readonly IncidentPage[]; chosen: boolean; onChoose: (chosen: boolean) => void };

/** Whether the subscribers of pages get an update, if there are any. */
export function NotifyChoice({ pages, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const count = pages.reduce((sum, { subscribers }) => sum + subscribers, 0);
  if (count === 0) return null;
  return (
    <label className="incident-notify">
      <input type="checkbox" checked={chosen} onChange={(event) => onChoose(event.target.checked)} />
      {t("incidents.editor.notify", { count })}
    </label>
  );
}
