import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";

/**
 * The filter, search and sort of a list, stored in its address, so that they survive a reload and can be shared. A change
 * replaces the history entry, so that going back leaves the list. The first filter is the default and is not written;
 * unknown values are ignored, and `sort` is undefined unless the address has one.
 */
export const useListAddress = <F extends string, S extends string>(filters: readonly F[], sorts: readonly S[]) => {
  const [path, navigate] = useLocation();
  // The router's own hook decodes the address once more than it was encoded: a search for "%41" would become "A".
  const query = new URLSearchParams(useSearch());
  const everything = filters[0] as F;
  const now = {
    filter: filters.find((one) => one === query.get("status")) ?? everything,
    search: query.get("q") ?? "",
    sort: sorts.find((one) => one === query.get("sort")),
  };

  const change = (changed: { filter?: F; search?: string; sort?: S | undefined }) => {
    const { filter, search, sort } = { ...now, ...changed };
    const next = new URLSearchParams();
    if (filter !== everything) next.set("status", filter);
    if (search) next.set("q", search);
    if (sort) next.set("sort", sort);
    navigate(next.size > 0 ? `${path}?${next}` : path, { replace: true });
  };

  return { ...now, change, clear: () => change({ filter: everything, search: "" }) };
};
