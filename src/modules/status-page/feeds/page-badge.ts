import type { Deps } from "../../../core/deps";
import { notFound } from "../../../core/errors";
import { createCachedResponse } from "../../../server/http-encoding";
import type { ComponentStatus } from "../../../shared/status/components";
import { type PageState, pageState } from "../../../shared/status/page-state";
import type { Pass } from "../access/gate";
import { type BadgeTone, drawBadge } from "../badge";
import { cachePage } from "../cache";
import type { Published } from "../publish";
import { readStatuspage } from "../statuspage/statuspage";

const OF_COMPONENT: Record<ComponentStatus, [value: string, tone: BadgeTone]> = {
  operational: ["operational", "up"],
  under_maintenance: ["maintenance", "maintenance"],
  degraded_performance: ["degraded", "degraded"],
  partial_outage: ["partial outage", "down"],
  major_outage: ["major outage", "down"],
};

const OF_PAGE: Record<PageState, [value: string, tone: BadgeTone]> = {
  operational: ["operational", "up"],
  maintenance: ["maintenance", "maintenance"],
  affected: ["open incident", "degraded"],
  degraded: ["degraded", "degraded"],
  partial: ["partial outage", "down"],
  outage: ["major outage", "down"],
  unknown: ["unknown", "none"],
  unchecked: ["no data", "none"],
  nothing: ["no data", "none"],
};

/**
 * The badge of the page that a visitor is admitted to: `page.svg`, or of a component by its id in Statuspage's format. It is
 * kept as pages are.
 * @throws {AppError} not_found
 */
export const pageBadge = async (
  store: Pick<Deps, "db" | "clock" | "config" | "watching">,
  pass: Pass,
  page: Published,
  file: string,
) => {
  const all = await readStatuspage(store, pass.slug);
  const [, key] = /^(page|[a-z0-9]{12})\.svg$/.exec(file) ?? [];
  const component = all?.components.find(({ id }) => id === key);
  if (!all || !key || (key !== "page" && !component)) throw notFound("Badge");
  const made = await cachePage(
    store,
    `badge ${key} of ${pass.slug ?? ""}`,
    async () => {
      const [value, tone] = component ? OF_COMPONENT[component.status] : OF_PAGE[pageState(page.data)];
      const svg = drawBadge(component?.name ?? all.page.name, value, tone);
      const headers = {
        "content-type": "image/svg+xml; charset=utf-8",
        "cache-control": "public, max-age=30",
        "cross-origin-resource-policy": "cross-origin",
      };
      return { response: createCachedResponse(svg, headers), bytes: 4 * svg.length };
    },
    ({ bytes }) => bytes,
  );
  if (!made) throw notFound("Badge");
  return made.response;
};
