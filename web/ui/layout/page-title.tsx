import { atom, useAtomValue, useSetAtom } from "jotai";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";

/** The title of the screen, and the one that its page sets in place of that. */
const screenTitleAtom = atom("");
const pageTitleAtom = atom("");
/** How many of the viewer's monitors and agents are down, as last loaded by any screen. */
export const monitorsDownAtom = atom(0);
export const agentsDownAtom = atom(0);

/** Titles the browser's tab with the screen's title from the table of screens. */
export const useScreenTitle = (title: string) => {
  const setTitle = useSetAtom(screenTitleAtom);
  useEffect(() => setTitle(title), [title, setTitle]);
};

/** Titles the tab with what the page shows, such as a monitor's name, for as long as there is such a title. */
export const usePageTitle = (title: string | undefined) => {
  const setTitle = useSetAtom(pageTitleAtom);
  useEffect(() => {
    setTitle(title ?? "");
    return () => setTitle("");
  }, [title, setTitle]);
};

/** Writes the tab's title: the number that are down, the screen, and the product. */
export function DocumentTitle() {
  const { t } = useTranslation();
  const screenTitle = useAtomValue(screenTitleAtom);
  const title = useAtomValue(pageTitleAtom) || screenTitle;
  const count = useAtomValue(monitorsDownAtom) + useAtomValue(agentsDownAtom);
  useEffect(() => {
    const parts = [count > 0 ? `(${t("common.title.down", { count })})` : "", title ? `${title} · Wakeful` : "Wakeful"];
    document.title = parts.filter(Boolean).join(" ");
  }, [t, title, count]);
  return null;
}
