import { useTranslation } from "react-i18next";
import { isBad } from "../notifications/history/fold";
import type { Entry } from "./api";

type Message = Extract<Entry, { kind: "message" }>["message"];
type Titled = Pick<Message, "purpose" | "step" | "times"> & { event: Pick<Message["event"], "kind"> };

/** "Alert", "Alert, step 2", "3 reminders". */
export const useMessageTitle = () => {
  const { t } = useTranslation();
  return ({ purpose, step, times, event }: Titled): string => {
    if (purpose === "reminder") return t("outages.message.reminder", { count: times });
    if (purpose !== "alert") return t(`outages.message.${purpose}`);
    if (!isBad(event.kind)) return t("outages.message.recovery");
    return step ? t("outages.message.step", { number: step + 1 }) : t("outages.message.alert");
  };
};
