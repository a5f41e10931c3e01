import { getDefaultStore } from "jotai";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { currentUser } from "./features/auth/api";
import { startI18n } from "./i18n";
import { followSystemTheme, themeAtom } from "./lib/theme";
import { followOtherTabs, session, sessionAtom, startSession } from "./session";

/** Loads the stream of changes when a user is signed in: a first visit does without it. */
const followWhenSignedIn = () => {
  const start = () => {
    if (session().status !== "authenticated") return;
    end();
    import("./live-stream").then(
      ({ followChanges }) => followChanges(),
      (error) => console.warn("Changes are polled, because the stream could not be loaded", error),
    );
  };
  const end = getDefaultStore().sub(sessionAtom, start);
  start();
};

followSystemTheme(() => getDefaultStore().get(themeAtom));
followOtherTabs();
followWhenSignedIn();
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
