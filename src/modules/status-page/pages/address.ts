import type { PageRow } from "./find";

/** The public address of a status page, without a slash at the end. `base` is the address of the hub. */
export const pageAddress = (base: string, { slug }: Pick<PageRow, "slug">): string =>
  `${base}/status/${encodeURIComponent(slug)}`;
