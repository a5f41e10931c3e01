import { useTranslation } from "react-i18next";
import { type EventKind, METRICS } from "../../../src/shared/alerts";

const kinds: readonly EventKind[] = [
  "down",
  "recovery",
  "offline",
  "online",
  ...METRICS.flatMap((metric) => [`${metric}_high`, `${metric}_normal`] as const),
];

/** What an event is called; one unheard of keeps its own name. */
export const useKindName = () => {
  const { t } = useTranslation();
  return (kind: string) => {
    const known = kinds.find((one) => one === kind);
    return known ? t(`notifications.history.kind.${known}`) : kind;
  };
};
