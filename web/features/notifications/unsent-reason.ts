import { useTranslation } from "react-i18next";
import type { Language } from "../../../src/shared/language";
import { isUndecided, type UnsentReason, unsentText } from "../../../src/shared/outages/unsent-reasons";
import { paths } from "../../paths";

/** Renders why no channel is notified, in the reader's language, as the end of a sentence. */
export const useUnsentReason = () => {
  const { i18n } = useTranslation();
  return (reason: UnsentReason): string => unsentText(reason, i18n.language as Language);
};

/** "Not sent: alerts are off in the default rule" */
export const useUnsentText = () => {
  const { t } = useTranslation();
  const reasonText = useUnsentReason();
  return (reason: UnsentReason): string =>
    t(isUndecided(reason) ? "notifications.history.awaited" : "notifications.history.noDelivery", {
      reason: reasonText(reason),
    });
};

/** Where a reason is mended: in the channels, in the rules for all, or in the target's own; null where nothing is to mend. */
export const mendPlaceOf = (reason: UnsentReason): "channels" | "rules" | "own" | null => {
  if (reason === "no_channels" || reason === "channel_disabled" || reason === "channel_deleted") return "channels";
  if (reason === "no_rule" || reason === "default_disabled" || reason === "default_no_recipients") return "rules";
  return reason === "rule_disabled" || reason === "no_recipients" || reason === "not_selected" ? "own" : null;
};

/** The addresses of the places that are not the target's own page. */
export const MEND_PATHS = {
  channels: `${paths.notifications}?tab=channels`,
  rules: paths.notifications,
} as const;
