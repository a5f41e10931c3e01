import { useTranslation } from "react-i18next";
import { type EventKind, METRICS } from "../../../src/shared/alerts";
import { type ChannelField, type FieldProblem, problemCode } from "../../../src/shared/channel-fields";
import { CallError } from "../../api";
import { useErrorText } from "../../ui/hooks/use-error-text";
import type { TargetKey } from "./rules/drafts";

/** The texts of channel kinds and their fields. A kind without texts is shown by its name. */
export const useChannelLabels = () => {
  const { t, i18n } = useTranslation();
  const text = (key: string) => (i18n.exists(key) ? i18n.t(key as "channels.kinds.telegram.name") : undefined);
  const fieldText = (kind: string, { name }: ChannelField, part: "label" | "hint" | "required" | "invalid") =>
    text(`channels.kinds.${kind}.fields.${name}.${part}`);
  const label = (kind: string, field: ChannelField) => fieldText(kind, field, "label") ?? field.label;

  return {
    kind: (kind: string) => text(`channels.kinds.${kind}.name`) ?? kind,
    label,
    hint: (kind: string, field: ChannelField) => fieldText(kind, field, "hint"),
    problem: (kind: string, field: ChannelField, problem: FieldProblem) => {
      if (problem === "too_long") return t("errors.code.too_long");
      const general = problem === "required" ? "channels.fieldRequired" : "channels.fieldInvalid";
      return fieldText(kind, field, problem) ?? t(general, { label: label(kind, field) });
    },
  };
};

/** The problem of a field that an error code of the API names. */
export const problemOfCode = (field: ChannelField, code: string | undefined): FieldProblem | undefined =>
  (["required", "invalid", "too_long"] as const).find((problem) => problemCode(field, problem) === code);

const kinds: readonly EventKind[] = [
  "down",
  "recovery",
  "offline",
  "online",
  ...METRICS.flatMap((metric) => [`${metric}_high`, `${metric}_normal`] as const),
];

/** The label of an event kind; an unknown kind is shown by its name. */
export const useKindName = () => {
  const { t } = useTranslation();
  return (kind: string) => {
    const known = kinds.find((one) => one === kind);
    return known ? t(`notifications.history.kind.${known}`) : kind;
  };
};

/** The label of a target: translated for the global ones, the name of any other. */
export const useTargetName = () => {
  const { t } = useTranslation();
  return (key: TargetKey, name: string) => {
    if (key === "global-monitor") return t("notifications.setting.monitors");
    if (key === "global-agent") return t("notifications.setting.agents");
    return name;
  };
};

const PREFIX = "The provider said: ";

type KnownError = "timeout" | "unreachable" | "deleted" | "gone";

/** The cause of a failed delivery: one of the hub's own errors, or the provider's answer unchanged. */
export const parseDeliveryError = (error: string): { known: KnownError } | { answer: string } => {
  const answer = error.startsWith(PREFIX) ? error.slice(PREFIX.length) : error;
  if (answer === "no answer within 10 s") return { known: "timeout" };
  if (/^no answer(: \S+)?$/.test(answer)) return { known: "unreachable" };
  if (answer === "the channel was deleted") return { known: "deleted" };
  if (answer === "the channel is gone or switched off") return { known: "gone" };
  return { answer };
};

/** The cause of a failed delivery as text: the hub's own errors translated, the provider's answer unchanged. */
export const useDeliveryError = () => {
  const { t } = useTranslation();
  return (error: string) => {
    const cause = parseDeliveryError(error);
    return "known" in cause ? t(`notifications.history.ours.${cause.known}`) : cause.answer;
  };
};

/** The cause of a failed test message, which may also fail before it reaches the provider. */
export const useTestFailure = () => {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const deliveryError = useDeliveryError();
  return (error: unknown) => {
    if (!(error instanceof CallError) || error.code !== "provider_refused") return errorText(error);
    const cause = parseDeliveryError(error.message);
    return "known" in cause ? deliveryError(error.message) : t("notifications.channel.said", { said: cause.answer });
  };
};
