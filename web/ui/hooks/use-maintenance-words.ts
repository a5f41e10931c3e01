import { useTranslation } from "react-i18next";

/** The field `maintenance` of the API. */
export type Maintenance = { until: string } | null;

/** Words for a target in maintenance with its last result: "Maintenance · Down". */
export const useMaintenanceWords = () => {
  const { t } = useTranslation();
  return (result: string): string => `${t("common.status.maintenance")} · ${result}`;
};
