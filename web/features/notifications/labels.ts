import { useTranslation } from "react-i18next";
import {
  type ChannelConfig,
  type ChannelField,
  type FieldProblem,
  problemCode,
  templateProblems,
} from "../../../src/shared/channel-fields";
import type { Language } from "../../../src/shared/language";
import {
  type DeliveryError,
  deliveryErrorText,
  EVENT_KINDS,
  isAnswer,
  outageKindOf,
} from "../../../src/shared/notifications";
import { forEvent } from "../../../src/shared/outages/words";
import { templateProblemText } from "../../../src/shared/template/template";
import { CallError } from "../../api";
import { useErrorText } from "../../ui/hooks/use-error-text";
import { useOutageWords } from "../../ui/hooks/use-outage-words";
import type { TargetKey } from "./rules/drafts";

/** A sentence that begins with a capital where the language has any. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The texts of channel kinds and their fields. A kind without texts is shown by its name. */
export const useChannelLabels = () => {
  const { t, i18n } = useTranslation();
  const text = (key: string) => (i18n.exists(key) ? i18n.t(key as "channels.kinds.telegram.name") : undefined);
  const fieldText = (kind: string, { name }: ChannelField, part: "label" | "hint" | "required" | "invalid") =>
    text(`channels.kinds.${kind}.fields.${name}.${part}`);
  const label = (kind: string, field: ChannelField) => fieldText(kind, field, "label") ?? field.label;
  const choice = (kind: string, { name }: ChannelField, value: string) =>
    text(`channels.kinds.${kind}.fields.${name}.choices.${value}`) ?? value;

  return {
    kind: (kind: string) => text(`channels.kinds.${kind}.name`) ?? kind,
    label,
    hint: (kind: string, field: ChannelField) => fieldText(kind, field, "hint") || undefined,
    choice,
    /** The value of a field that is no secret, as a form shows it. */
    value: (kind: string, field: ChannelField, value: string) =>
      field.type === "choice" ? choice(kind, field, value) : value,
    /** With the configuration, what is wrong with a template is named with its place. */
    problem: (kind: string, field: ChannelField, problem: FieldProblem, config: ChannelConfig = {}) => {
      if (problem === "too_long") return t("errors.code.too_long");
      const [place] = field.type === "template" ? templateProblems(field, config) : [];
      if (place) return capital(templateProblemText(place, i18n.language as Language));
      const general = problem === "required" ? "channels.fieldRequired" : "channels.fieldInvalid";
      return fieldText(kind, field, problem) ?? t(general, { label: label(kind, field) });
    },
  };
};

/** The problem of a field that an error code of the API names. */
export const problemOfCode = (field: ChannelField, code: string | undefined): FieldProblem | undefined =>
  (["required", "invalid", "too_long"] as const).find((problem) => problemCode(field, problem) === code);

/** The label of an event kind; an unknown kind is shown by its name. */
export const useKindName = () => {
  const words = useOutageWords();
  return (kind: string) => {
    const eventKind = EVENT_KINDS.find((one) => one === kind);
    return eventKind ? forEvent(words[outageKindOf(eventKind)].status, eventKind) : kind;
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

/** Renders why a message was not delivered, in the reader's language; a provider's own text is quoted. */
export const useDeliveryError = () => {
  const { i18n } = useTranslation();
  return (error: DeliveryError): string => {
    return capital(deliveryErrorText(error, i18n.language as Language));
  };
};

/** Renders why a test message was not delivered, or not sent at all. */
export const useTestFailure = () => {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const deliveryError = useDeliveryError();
  return (error: unknown): string => {
    if (!(error instanceof CallError) || !error.failure) return errorText(error);
    const text = deliveryError(error.failure);
    return isAnswer(error.failure) ? t("notifications.channel.reply", { reply: text }) : text;
  };
};
