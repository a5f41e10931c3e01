import { useTranslation } from "react-i18next";
import { useFormat } from "./use-format";

/** The field `maintenance` of the API. */
export type Maintenance = { until: string } | null;

/** Words for a target in maintenance: "Under maintenance until 04:00 · Down", with its last result. */
export const useMaintenanceWords = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ until }: { until: string }, result: string): string =>
    `${t("notifications.mute.maintenance", { time: format.moment(until) })} · ${result}`;
};
