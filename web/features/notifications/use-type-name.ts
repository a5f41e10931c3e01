import { useTranslation } from "react-i18next";
import { channelTypes } from "./channels/channel-body";

/** What a kind of channel is called; one unheard of keeps its own name. */
export const useTypeName = () => {
  const { t } = useTranslation();
  return (type: string) => {
    const known = channelTypes.find((one) => one === type);
    return known ? t(`notifications.channel.type.${known}`) : type;
  };
};
