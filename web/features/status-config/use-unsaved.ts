import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { base } from "../../paths";

/** The path inside the console that a plain click on a link leads to, if any. */
const destinationOf = (event: MouseEvent): string | undefined => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link?.getAttribute("href") || link.target || link.origin !== location.origin) return undefined;
  if (!`${link.pathname}/`.startsWith(`${base}/`) || link.pathname === location.pathname) return undefined;
  return link.pathname.slice(base.length) + link.search;
};

/** Asks for confirmation before unsaved changes are lost: by a link, by going back, or by closing the tab. */
export const useUnsaved = (dirty: boolean) => {
  const [, navigate] = useLocation();
  const [waiting, setWaiting] = useState<{ go: () => void }>();
  const leaving = useRef(false);

  useEffect(() => {
    if (!dirty) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const to = destinationOf(event);
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      setWaiting({ go: () => navigate(to) });
    };
    // Going back can be cancelled through the Navigation API only; a popstate event comes too late.
    const onTraverse = (event: NavigateEvent) => {
      if (leaving.current || event.navigationType !== "traverse" || !event.cancelable) return;
      const { key } = event.destination;
      event.preventDefault();
      setWaiting({ go: () => navigation.traverseTo(key) });
    };
    const history = "navigation" in window ? navigation : undefined;
    addEventListener("beforeunload", onUnload);
    document.addEventListener("click", onClick, { capture: true });
    history?.addEventListener("navigate", onTraverse);
    return () => {
      removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick, { capture: true });
      history?.removeEventListener("navigate", onTraverse);
    };
  }, [dirty, navigate]);

  return {
    isAsking: waiting !== undefined,
    stay: () => setWaiting(undefined),
    leave: () => {
      leaving.current = true;
      waiting?.go();
    },
  };
};
