import { atom, useAtomValue, useSetAtom } from "jotai";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";

const titleAtom = atom("");
/** How many of the viewer's monitors and agents are down, as last heard by any screen. */
export const monitorsDownAtom = atom(0);
export const agentsDownAtom = atom(0);

/** Names the screen in the tab. */
export const usePageTitle = (title: string) => {
  const setTitle = useSetAtom(titleAtom);
  useEffect(() => setTitle(title), [title, setTitle]);
};

/** Keeps the tab's title: what is down first, then the screen, then the product. */
export function DocumentTitle() {
  const { t } = useTranslation();
  const title = useAtomValue(titleAtom);
  const count = useAtomValue(monitorsDownAtom) + useAtomValue(agentsDownAtom);
  useEffect(() => {
    const parts = [count > 0 ? `(${t("common.title.down", { count })})` : "", title ? `${title} · Wakeful` : "Wakeful"];
    document.title = parts.filter(Boolean).join(" ");
  }, [t, title, count]);
  return null;
}
