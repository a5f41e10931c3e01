import { getDefaultStore } from "jotai";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { currentUser } from "./features/auth/api";
import { startI18n } from "./i18n";
import { followSystemTheme, themeAtom } from "./lib/theme";
import { followChanges } from "./live";
import { followOtherTabs, startSession } from "./session";

followSystemTheme(() => getDefaultStore().get(themeAtom));
followOtherTabs();
followChanges();
void startSession(currentUser);
// Not a top-level await: a module with one is split by the bundler into many chunks.
void startI18n().then(() => {
  const root = document.getElementById("root");
  if (root)
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    );
});
