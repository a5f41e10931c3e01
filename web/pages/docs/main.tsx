import { getDefaultStore } from "jotai";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import type { Language } from "../../../src/shared/language";
import { bootstrap } from "../../bootstrap";
import { announceLanguage, preferredLanguage } from "../../lib/language";
import { followSystemTheme, themeAtom } from "../../lib/theme";
import { followOtherTabs } from "../../session";
import { createTranslator, type Words } from "../shared/translator";
import { DocsPage } from "./docs-page";
import type { Document } from "./document";

const loadWords: Record<Language, () => Promise<Words>> = {
  "zh-CN": async () => (await import("../../locales/zh-CN/docs")).docsPage,
  "en-US": async () => (await import("../../locales/en-US/docs")).docsPage,
};

/** The document is large, and a slow line needs longer for it than for an answer of the API. */
const TIMEOUT = Math.max(bootstrap.apiTimeout, 120_000);

const load = async (): Promise<Document> => {
  const response = await fetch("./api/openapi.json", { signal: AbortSignal.timeout(TIMEOUT) });
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
};

const loading = load();
// It is handled where the page is rendered.
loading.catch(() => {});
followSystemTheme(() => getDefaultStore().get(themeAtom));
followOtherTabs();

const start = async () => {
  const language = preferredLanguage(bootstrap.defaultLanguage);
  const words = { [language]: await loadWords[language]() };
  const i18n = createTranslator(language, { words, load: (chosen) => loadWords[chosen]() });
  i18n.on("languageChanged", () => announceLanguage(i18n.language as Language));
  announceLanguage(language);
  const root = document.getElementById("root");
  if (root)
    createRoot(root).render(
      <StrictMode>
        <I18nextProvider i18n={i18n}>
          <DocsPage load={loading} />
        </I18nextProvider>
      </StrictMode>,
    );
};
void start();
