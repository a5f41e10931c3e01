import { atom, getDefaultStore, useAtomValue, useSetAtom } from "jotai";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { onReset } from "../../lib/resource";
import { sessionAtom } from "../../session";

/** The title of the screen, and the title that its page sets instead. */
const screenTitleAtom = atom("");
const pageTitleAtom = atom("");
/** How many of the viewer's monitors and servers are down, as last loaded by any screen. */
export const monitorsDownAtom = atom(0);
export const serversDownAtom = atom(0);
/** How many of these are in maintenance. */
export const downInMaintenanceAtom = atom(0);
onReset(() => {
  for (const count of [monitorsDownAtom, serversDownAtom, downInMaintenanceAtom]) getDefaultStore().set(count, 0);
});

/** How many of the viewer's monitors and servers are down, without those in maintenance; 0 for visitors. */
export const useDownCount = (): number => {
  const down = useAtomValue(monitorsDownAtom) + useAtomValue(serversDownAtom);
  const count = Math.max(0, down - useAtomValue(downInMaintenanceAtom));
  return useAtomValue(sessionAtom).status === "authenticated" ? count : 0;
};

/** Sets the tab's title to the screen's title from the table of screens. */
export const useScreenTitle = (title: string) => {
  const setTitle = useSetAtom(screenTitleAtom);
  useEffect(() => setTitle(title), [title, setTitle]);
};

/** Sets the tab's title to what the page shows, for example a monitor's name, until the component is unmounted. */
export const usePageTitle = (title: string | undefined) => {
  const setTitle = useSetAtom(pageTitleAtom);
  useEffect(() => {
    setTitle(title ?? "");
    return () => setTitle("");
  }, [title, setTitle]);
};

/** Renders the tab's title: the number of monitors and servers that are down, the screen, and the product. */
export function DocumentTitle() {
  const { t } = useTranslation();
  const screenTitle = useAtomValue(screenTitleAtom);
  const title = useAtomValue(pageTitleAtom) || screenTitle;
  const count = useDownCount();
  useEffect(() => {
    const parts = [count > 0 ? `(${t("common.title.down", { count })})` : "", title ? `${title} · Wakeful` : "Wakeful"];
    document.title = parts.filter(Boolean).join(" ");
  }, [t, title, count]);
  return null;
}
