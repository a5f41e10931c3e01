import { atom, getDefaultStore } from "jotai";
import { type ComponentProps, useEffect } from "react";
import { createRoot } from "react-dom/client";
import type { StatusData } from "../../../src/modules/status-page/publish";
import type { Resource } from "../../lib/resource";
import { loadExtras } from "./incidents/load";
import { StatusApp } from "./status-page";

type Props = Omit<ComponentProps<typeof StatusApp>, "source" | "store">;

/** Programs that check a page, such as axe, also send messages to its frames. */
const isPage = (data: unknown): data is StatusData => typeof data === "object" && data !== null && "published" in data;

/** Reports that the first data is drawn. */
function Drawn() {
  useEffect(() => parent.postMessage("shown", location.origin), []);
  return null;
}

/**
 * Shows what the settings of the page send while they are edited: the data of a page as messages of the window that
 * frames this one. Links and menus do nothing. `onData` is called before data is shown.
 */
export const startPreview = (root: HTMLElement, props: Props, onData: (data: StatusData) => void): void => {
  const shown = atom<Resource<StatusData | null>>({
    data: null,
    error: undefined,
    loading: false,
    loadedAt: undefined,
  });
  const store = getDefaultStore();
  const source = atom(
    (get) => get(shown),
    () => {},
  );
  // After the page's own rules, as the stylesheet of a published page.
  const styles = new CSSStyleSheet();
  document.adoptedStyleSheets = [styles];
  const tree = createRoot(root);
  addEventListener("message", async ({ source: sender, origin, data }: MessageEvent<unknown>) => {
    if (sender !== parent || origin !== location.origin || !isPage(data)) return;
    onData(data);
    styles.replaceSync(data.customCss);
    await loadExtras(data);
    store.set(shown, { data, error: undefined, loading: false, loadedAt: Date.now() });
    tree.render(
      <>
        <StatusApp {...props} source={source} store={store} forGuest />
        <Drawn />
      </>,
    );
  });
  const stop = (event: Event) => {
    if (!(event.target instanceof Element && event.target.closest("a, .navbar, .slots"))) return;
    if (event instanceof KeyboardEvent && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("click", stop, true);
  addEventListener("keydown", stop, true);
  parent.postMessage("ready", location.origin);
};
