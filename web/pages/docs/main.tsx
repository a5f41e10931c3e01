import { getDefaultStore } from "jotai";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { bootstrap } from "../../bootstrap";
import { startI18n, type WordLoaders } from "../../i18n";
import { followSystemTheme, themeAtom } from "../../lib/theme";
import { followOtherTabs } from "../../session";
import { DocsPage } from "./docs-page";
import type { Document } from "./document";

/** The words of this page and of what it shares with the console. */
const words: WordLoaders = {
  "zh-CN": async () => {
    const parts = [import("../../locales/zh-CN/common"), import("../../locales/zh-CN/docs")] as const;
    const [{ common }, { docs }] = await Promise.all(parts);
    return { common, docs };
  },
  "en-US": async () => {
    const parts = [import("../../locales/en-US/common"), import("../../locales/en-US/docs")] as const;
    const [{ common }, { docs }] = await Promise.all(parts);
    return { common, docs };
  },
};

const load = async (): Promise<Document> => {
  const response = await fetch("./api/openapi.json", { signal: AbortSignal.timeout(bootstrap.apiTimeout) });
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
};

const loading = load();
// It is handled where the page is rendered.
loading.catch(() => {});
followSystemTheme(() => getDefaultStore().get(themeAtom));
followOtherTabs();
void startI18n(words).then(() => {
  const root = document.getElementById("root");
  if (root)
    createRoot(root).render(
      <StrictMode>
        <DocsPage load={loading} />
      </StrictMode>,
    );
});
