import { useTranslation } from "react-i18next";
import { toast } from "../../../ui/feedback/toast";
import { type EffectiveAlerts, mendPlace, readAlerts } from "./api";
import { useAlertText } from "./sentence";

/** How long the notice stays, in ms: with a sentence to read, and with a link to press. */
const [READ, PRESS] = [6000, 12_000];

/** Says that a monitor was created, and who is notified when it fails; with a link where no one is. */
export const useCreatedNotice = () => {
  const { t } = useTranslation();
  const alertText = useAlertText();
  return async (id: number): Promise<void> => {
    const done = t("monitors.form.created");
    const alerts = await readAlerts({ type: "monitor", id }).then(
      (answer): EffectiveAlerts | undefined => answer.alerts,
      () => undefined,
    );
    if (!alerts) return toast(done);
    const place = mendPlace(alerts);
    const link = place && { path: place.path, text: t(`alerts.mend.${place.text}`) };
    toast(done, { lasts: link ? PRESS : READ, more: { text: alertText(alerts), ...(link && { link }) } });
  };
};
