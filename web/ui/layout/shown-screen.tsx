import { createContext, type ReactNode, useContext, useDeferredValue, useState } from "react";
import { Router, useLocation } from "wouter";
import { useBrowserLocation, useSearch } from "wouter/use-browser-location";
import { base } from "../../lib/navigation/base-path";

type Address = { path: string; search: string };

/** The address of the last screen, while it is shown in place of the next one. */
const LastAddress = createContext<Address | null>(null);

const useShownLocation = (): ReturnType<typeof useBrowserLocation> => {
  const [path, navigate] = useBrowserLocation();
  const last = useContext(LastAddress);
  return [last ? base + last.path : path, navigate];
};

/** The query of the shown screen's address, as it is in there. */
export const useShownSearch = (): string => {
  const search = useSearch();
  return useContext(LastAddress)?.search ?? search;
};

type Props = {
  /** `isLast`: the screen is still the last one, because the code of the next is being loaded. */
  children: (path: string, isLast: boolean) => ReactNode;
};

/** Renders the screen at the current path. The last screen stays, with its own address, until the next one can be rendered. */
export function ShownScreen({ children }: Props) {
  const [path] = useLocation();
  const search = useSearch();
  // React drops a deferred render that suspends, and renders again when the code has arrived.
  const shown = useDeferredValue(path);
  const isLast = shown !== path;
  const [last, setLast] = useState<Address>({ path, search });
  if (!isLast && (last.path !== path || last.search !== search)) setLast({ path, search });

  return (
    <LastAddress value={isLast ? last : null}>
      <Router base={base} hook={useShownLocation} searchHook={useShownSearch}>
        {children(shown, isLast)}
      </Router>
    </LastAddress>
  );
}
