import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { base } from "../../paths";

/** The address inside the console that a plain click on a link leads to, or nothing. */
const destinationOf = (event: MouseEvent): string | undefined => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link?.getAttribute("href") || link.target || link.origin !== location.origin) return undefined;
  if (!`${link.pathname}/`.startsWith(`${base}/`) || link.pathname === location.pathname) return undefined;
  return link.pathname.slice(base.length) + link.search;
};

/** Asks before unsaved changes are lost: by a link, by going back, or by closing the tab. */
export const useUnsaved = (dirty: boolean) => {
  const [, navigate] = useLocation();
  const [waiting, setWaiting] = useState<{ go: () => void }>();
  const leaving = useRef(false);

  useEffect(() => {
    if (!dirty) return;
    const here = location.href;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const to = destinationOf(event);
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      setWaiting({ go: () => navigate(to) });
    };
    const onBack = (event: PopStateEvent) => {
      if (leaving.current) return;
      event.stopImmediatePropagation();
      history.pushState(null, "", here);
      setWaiting({ go: () => history.back() });
    };
    addEventListener("beforeunload", onUnload);
    document.addEventListener("click", onClick, { capture: true });
    addEventListener("popstate", onBack, { capture: true });
    return () => {
      removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick, { capture: true });
      removeEventListener("popstate", onBack, { capture: true });
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
