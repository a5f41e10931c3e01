import { useTranslation } from "react-i18next";

/** A text of the document; backticks enclose code. */
export function Prose({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, never reordered
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}

/** Translates a text of the document into the reader's language; the original if there is no translation. */
export const useDocumentText = () => {
  const { i18n } = useTranslation();
  return (group: "introduction" | "tags" | "parts" | "schemes", key: string, own: string): string =>
    i18n.getResource(i18n.language, "translation", `docs.${group}.${key}`) ?? own;
};
