import { hostnameOf } from "../monitor-kinds/host";

const LABEL = /^[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_-]{0,61}[\p{L}\p{N}\p{M}_])?$/u;

/** A domain as it is typed or pasted: without the scheme and path of an address, a leading `*.`, and a last dot. */
export const plainDomain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/[/?#].*$/s, "")
    .replace(/^\*\./, "")
    .replace(/\.$/, "");

/** A domain name of at least two labels in ASCII; null for any other text, such as an address. */
export const domainNameOf = (text: string): string | null => {
  const name = hostnameOf(plainDomain(text));
  const labels = name?.split(".") ?? [];
  const isName = labels.length >= 2 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? "");
  return name && isName ? name : null;
};

/** Labels below which the registries of many countries register domains, as in example.co.uk. */
const SECOND_LEVELS = ["ac", "co", "com", "edu", "gob", "gov", "go", "mil", "ne", "net", "nom", "or", "org"];

/** Labels of a name that may be its domain, beyond the least. */
const DEEPER = 2;

/**
 * The names that may be the registered domain of a name in ASCII, the shortest first: example.com of www.example.com, and
 * example.co.uk of www.example.co.uk.
 */
export const registrableNames = (name: string): string[] => {
  const labels = name.split(".");
  const [second = "", top = ""] = labels.slice(-2);
  const least = labels.length > 2 && top.length === 2 && SECOND_LEVELS.includes(second) ? 3 : 2;
  const most = Math.min(labels.length, least + DEEPER);
  return Array.from({ length: most - least + 1 }, (_, index) => labels.slice(-(least + index)).join("."));
};
