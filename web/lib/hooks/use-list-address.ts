import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";

/**
 * How a list is narrowed and ordered, kept in its address: it outlives a reload and can be shared. A change takes the
 * place of the address before it, so that going back leaves the list at once. The first filter passes all and is not
 * written; what nobody knows counts as not said, and an order that is not said is undefined.
 */
export const useListAddress = <F extends string, S extends string>(filters: readonly F[], sorts: readonly S[]) => {
  const [path, navigate] = useLocation();
  // The router's own hook decodes the address once more than it was encoded: a search for "%41" would become "A".
  const said = new URLSearchParams(useSearch());
  const everything = filters[0] as F;
  const now = {
    filter: filters.find((one) => one === said.get("status")) ?? everything,
    search: said.get("q") ?? "",
    sort: sorts.find((one) => one === said.get("sort")),
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
