import { getDefaultStore } from "jotai";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, preloadScreen, prepareScreen } from "./app";
import { currentUser, reportTimeZone } from "./features/auth/api";
import { dropFirstAnswers } from "./head/first-answers";
import { startI18n } from "./i18n";
import { base } from "./lib/navigation/base-path";
import { preloadAll } from "./lib/offline/code";
import { connection, connectionAtom } from "./lib/offline/connection";
import { refreshMounted } from "./lib/resource";
import { followSystemTheme, themeAtom } from "./lib/theme";
import { registerServiceWorker } from "./offline/register";
import { followOtherTabs, session, sessionAtom, startSession } from "./session";

/** What only a signed-in user needs: the time zone of alerts, the code of all screens and the stream of changes. A first visit does without it. */
const loadForUser = () => {
  reportTimeZone();
  void preloadAll();
  addEventListener("online", () => void preloadAll());
  registerServiceWorker();
  import("./live-stream").then(
    ({ followChanges }) => followChanges(),
    (error) => console.warn("Changes are polled, because the stream could not be loaded", error),
  );
};

const whenSignedIn = (start: () => void) => {
  const check = () => {
    if (session().status !== "authenticated") return;
    end();
    start();
  };
  const end = getDefaultStore().sub(sessionAtom, check);
  check();
};

/** Replaces kept data on screen as soon as the server has answered again. */
const refreshWhenBack = () => {
  let wasKept = false;
  getDefaultStore().sub(connectionAtom, () => {
    const isKept = connection().asOf !== null;
    if (wasKept && !isKept) refreshMounted();
    wasKept = isKept;
  });
};

/** Loads the screen behind a link as soon as the pointer or the focus is on it. */
const preloadOnHover = () => {
  const load = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
    if (link?.origin === location.origin && link.pathname.startsWith(base))
      void preloadScreen(link.pathname.slice(base.length));
  };
  addEventListener("pointerover", load, { passive: true });
  addEventListener("focusin", load);
};

/** Milliseconds that the first screen may take to be rendered at once, without its grey shapes. */
const FIRST = 400;
/** The longest time until everything else is loaded, although the first screen is not complete yet (ms). */
const FIRST_ALONE = 3000;

const after = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Resolves when the browser has rendered what is there, in Safari after a short time. */
const idle = () =>
  new Promise<void>((resolve) =>
    "requestIdleCallback" in window
      ? requestIdleCallback(() => resolve(), { timeout: FIRST_ALONE })
      : setTimeout(resolve, 200),
  );

followSystemTheme(() => getDefaultStore().get(themeAtom));
followOtherTabs();
refreshWhenBack();
preloadOnHover();
void startSession(currentUser);
// Not a top-level await: a module with one is split by the bundler into many chunks.
const isSignedIn = session().status === "authenticated";
const texts = startI18n({ isWhole: session().status !== "unauthenticated" });
const prepared = isSignedIn ? prepareScreen(location.pathname.slice(base.length)) : Promise.resolve();
void prepared.then(dropFirstAnswers);
const first = Promise.race([prepared, after(FIRST)]);
const rendered = Promise.all([texts, first]).then(() => {
  const root = document.getElementById("root");
  if (root)
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    );
});
// Other code and the stream would compete with the first screen.
void Promise.race([Promise.all([rendered, prepared]), after(FIRST_ALONE)])
  .then(idle)
  .then(() => whenSignedIn(loadForUser));
