import { useTranslation } from "react-i18next";
import { type ChannelField, type FieldProblem, problemCode } from "../../../src/shared/channel-fields";

/** The words for kinds of channels and their fields. A kind without words of its own shows its own name. */
export const useChannelWords = () => {
  const { t, i18n } = useTranslation();
  const word = (key: string) => (i18n.exists(key) ? i18n.t(key as "channels.kinds.telegram.name") : undefined);
  const fieldWord = (kind: string, { name }: ChannelField, what: "label" | "hint" | "required" | "invalid") =>
    word(`channels.kinds.${kind}.fields.${name}.${what}`);
  const label = (kind: string, field: ChannelField) => fieldWord(kind, field, "label") ?? field.label;

  return {
    kind: (kind: string) => word(`channels.kinds.${kind}.name`) ?? kind,
    label,
    hint: (kind: string, field: ChannelField) => fieldWord(kind, field, "hint"),
    problem: (kind: string, field: ChannelField, problem: FieldProblem) => {
      if (problem === "too_long") return t("errors.code.too_long");
      const general = problem === "required" ? "channels.fieldRequired" : "channels.fieldInvalid";
      return fieldWord(kind, field, problem) ?? t(general, { label: label(kind, field) });
    },
  };
};

/** The problem that one of the server's error codes stands for. */
export const problemOfCode = (field: ChannelField, code: string | undefined): FieldProblem | undefined =>
  (["required", "invalid", "too_long"] as const).find((problem) => problemCode(field, problem) === code);
