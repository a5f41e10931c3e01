import { findLanguage, type Language } from "../../shared/language";
import { memoize } from "./memoize";

/** Characters of Accept-Language that are read: browsers send less than 100. */
const MAX_HEADER = 1000;

const readLanguage = memoize((header): Language | undefined => {
  const ranges = header.slice(0, MAX_HEADER).split(",");
  const weighted = ranges.map((range) => {
    const [tag = "", ...parameters] = range.replace(/\s/g, "").toLowerCase().split(";");
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    return { tag, weight: weight === undefined ? 1 : Number(weight) };
  });
  const accepted = weighted.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  return findLanguage(accepted.map(({ tag }) => tag));
});

/** The supported language that an Accept-Language header (RFC 9110, section 12.5.4) prefers; `*` prefers none. */
export const acceptedLanguage = (header: string | null): Language | undefined =>
  header ? readLanguage(header) : undefined;
