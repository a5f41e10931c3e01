/** Where a status page is answered: below the address of the hub, or at the root of one of its own domains. */
import type { Config } from "../../core/config";
import { pathOf } from "../../modules/status-page/pages/address";
import { embeddable } from "./documents";

export type Place = {
  /** The slug of the page; undefined for the first administrator's page. */
  slug: string | undefined;
  /** The path of the page below the base address; empty at a domain. */
  home: string;
  /** The base address of its documents, without a slash at the end: BASE_PATH, or empty at a domain. */
  base: string;
};

export const placeAtHub = (slug: string | undefined, { basePath }: Pick<Config, "basePath">): Place => ({
  ...{ slug, home: pathOf(slug), base: basePath.slice(0, -1) },
});

export const placeAtDomain = (slug: string): Place => ({ slug, home: "", base: "" });

export const isAtDomain = ({ home }: Place): boolean => home === "";

/** The path of a place, for links and redirects. */
export const homePath = ({ base, home }: Place): string => base + home || "/";

/** The settings that a status page reads. The other ones describe the hub. */
const ownSettings = (text: string) => {
  const { links, defaultLanguage, apiTimeout } = JSON.parse(text) as Record<string, unknown>;
  return embeddable({ links, defaultLanguage, apiTimeout });
};

/** A document with the base address of a place. At a domain it names nothing of the hub. */
export const inPlace = (document: string, place: Place): string =>
  isAtDomain(place)
    ? document
        .replace(/<base href="[^"]*"/, '<base href="/"')
        .replace(
          /(<script[^>]*id="settings"[^>]*>)([\s\S]*?)(<\/script>)/,
          (_, open, text, close) => open + ownSettings(text) + close,
        )
    : document;
