import { useTranslation } from "react-i18next";
import { CallError } from "../../../api";
import { useErrorText } from "../../../ui/hooks/use-error-text";
import { deliveryErrorText } from "./said";

/** Why a message did not arrive, in the reader's language; a provider's own words stay its own. */
export const useDeliveryError = () => {
  const { t } = useTranslation();
  return (error: string) => {
    const answer = deliveryErrorText(error);
    return "ours" in answer ? t(`notifications.history.ours.${answer.ours}`) : answer.said;
  };
};

/** The same for a test message, which may also fail before it ever gets to the provider. */
export const useTestFailure = () => {
  const { t } = useTranslation();
  const words = useErrorText();
  const said = useDeliveryError();
  return (error: unknown) => {
    if (!(error instanceof CallError) || error.code !== "provider_refused") return words(error);
    const answer = deliveryErrorText(error.message);
    return "ours" in answer ? said(error.message) : t("notifications.channel.said", answer);
  };
};
