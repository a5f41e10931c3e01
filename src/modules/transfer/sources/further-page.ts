/** Status pages after the first one. */
import { PAGE_LIMITS } from "../../../shared/status/components";
import { clean } from "./text";

type Content = Record<string, unknown> & {
  groups?: readonly { name: string; monitors: readonly number[] }[];
  monitors?: readonly number[];
  agents?: readonly number[];
  logoUrl?: string;
  customCss?: string;
};

/** A name in an address, of letters, digits, `_` and `-`. */
const slugOf = (text: string, id: number): string =>
  clean(text, PAGE_LIMITS.slug)
    .replace(/[^\p{L}\p{N}_-]+/gu, "-")
    .replace(/^-+|-+$/g, "") || `page-${id}`;

/**
 * A first page with lists in the form of further pages, where each monitor of a group and each target outside of groups is a
 * component. `id` is the id of the page in the file.
 */
export const furtherPage = (
  { id, slug }: { id: number; slug: string },
  { groups = [], monitors = [], agents = [], logoUrl, customCss, ...fields }: Content,
) => {
  const grouped = new Set(groups.flatMap((group) => group.monitors));
  const components = [
    ...groups.flatMap(({ name, monitors }) => monitors.map((monitor) => ({ group: name, monitors: [monitor] }))),
    ...monitors.filter((monitor) => !grouped.has(monitor)).map((monitor) => ({ monitors: [monitor] })),
    ...agents.map((agent) => ({ agents: [agent] })),
  ];
  return {
    ...{ id, slug: slugOf(slug, id), ...fields },
    ...(logoUrl !== undefined && { logo_url: logoUrl }),
    ...(customCss !== undefined && { custom_css: customCss }),
    components: components.slice(0, PAGE_LIMITS.components),
  };
};
