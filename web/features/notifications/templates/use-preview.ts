import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Language } from "../../../../src/shared/language";
import type { EventKind } from "../../../../src/shared/notifications";
import { checkTemplate } from "../../../../src/shared/template/template";
import { previewTemplate } from "../api";

export type TemplatePreview = Awaited<ReturnType<typeof previewTemplate>>;
type Texts = { title: string; body: string };

/** How long nothing is typed before the texts are checked and previewed, in ms. */
const DELAY = 250;

/** The texts once nothing was typed for a moment, and the message of an example event by the last valid ones, in the language of the page. */
export const usePreview = ({ title, body }: Texts, event: EventKind | null) => {
  const { i18n } = useTranslation();
  const language = i18n.language as Language;
  const [settled, setSettled] = useState<Texts>({ title, body });
  const [preview, setPreview] = useState<TemplatePreview>();
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    const timer = setTimeout(() => setSettled({ title, body }), DELAY);
    return () => clearTimeout(timer);
  }, [title, body]);

  useEffect(() => {
    const isValid =
      settled.title.trim() !== "" && [settled.title, settled.body].every((text) => checkTemplate(text).length === 0);
    if (!isValid) return;
    let isCurrent = true;
    previewTemplate({ ...settled, event, language }).then(
      (answer) => {
        if (!isCurrent) return;
        setPreview(answer);
        setFailed(false);
      },
      () => isCurrent && setFailed(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [settled, event, language]);

  return { settled, preview, failed };
};
