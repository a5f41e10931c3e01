import type { Static } from "@sinclair/typebox";
import { isoTime } from "../../../lib/time";
import { boolean, component, id, integer, list, nullable, object, oneOf, text, time } from "../../../server/answers";
import { COMPONENT_MODES, COMPONENT_SHOWS, COMPONENT_STATUSES } from "../../../shared/status/components";
import { accessFields, presentAccess } from "../access/settings";
import { sanitizeCss } from "../css";
import { cssDropped, pageFields, StatusPageConfig } from "../service";
import type { PageComponent } from "./components";
import type { PageRow } from "./find";

const { theme, show_hostname, show_os, show_version } = StatusPageConfig.properties;

export const PageComponentSchema = component("PageComponent", {
  id: id("Its id.", 4),
  key: text("Its id in Statuspage's format.", "kctbhvrtdwda"),
  listed: boolean("Whether it stands for an item in the lists of the page: it changes with these.", false),
  label: text("The name that visitors see.", "Checkout"),
  name: nullable(text("Its own name; null for that of its target.", "Checkout")),
  group: text("The heading above it; empty for none.", "Shop"),
  description: text("A text for visitors.", ""),
  monitors: list(id("A monitor's id.", 3)),
  agents: list(id("A server's id.", 5)),
  targets: list(
    object({
      type: oneOf("The kind.", ["monitor", "agent"]),
      id: id("Its id.", 3),
      name: text("Its name.", "Payments API"),
    }),
    "These monitors and servers, as far as they exist.",
  ),
  tag: nullable(text("The tag whose monitors and servers it is about.", "db:eu"), null),
  mode: oneOf("It works while any of its targets does, all do, or at least `n`.", COMPONENT_MODES, "all"),
  n: integer("Of `at_least`.", 1),
  fixed_status: nullable(oneOf("The status set by hand; null for the measured one.", COMPONENT_STATUSES), null),
  show: oneOf("Whether it has a bar of days.", COMPONENT_SHOWS),
});

const summaryFields = {
  id: id("Its id.", 2),
  key: text("Its id in Statuspage's format.", "kctbhvrtdwda"),
  slug: text("Its name in its address.", "shop"),
  path: text("Its path.", "/status/shop"),
  title: pageFields.title,
  access: accessFields.access,
  first: boolean("Whether it is the first page of its team, which `/api/status/config` is about.", false),
  components_total: integer("How many components it has, listed ones included.", 3),
  updated_at: time("When it was last saved."),
};
export const PageSummarySchema = component("PageSummary", summaryFields);

export const PageSchema = component("Page", {
  ...summaryFields,
  description: pageFields.description,
  logo_url: pageFields.logoUrl,
  custom_css: pageFields.customCss,
  css_dropped: cssDropped,
  ...{ theme, show_hostname, show_os, show_version },
  history_days: integer("Days of the bars, their uptime and the history.", 90),
  zone: text("The zone in which the months of the history begin.", "UTC"),
  auto_incidents: nullable(
    object({
      after: integer("Minutes of an outage before its incident is published.", 10),
      title: text("Its title.", "{{component}} is down"),
      body: text("Its first update.", "We are looking into it."),
      resolve_after: integer("Minutes without an outage before it is resolved.", 5),
      resolved_body: text("Its last update.", "It works again."),
    }),
    null,
  ),
  noindex: boolean("Whether search engines are asked not to list it.", false),
  ...accessFields,
  domains: list(text("A domain, as punycode.", "status.example.com"), "Its own domains. Links use the first one."),
  components: list(
    PageComponentSchema,
    "Those that stand for the lists of the page first, then its own ones, in order.",
  ),
});

/** Facts about a page that are not in its row. */
export type Place = { first: boolean; path: string; components: number };

export const presentSummary = (page: PageRow, { first, path, components }: Place) => ({
  ...{
    id: page.id,
    key: page.key,
    slug: page.slug,
    path,
    title: page.title,
    access: page.access,
    first,
    components_total: components,
  },
  updated_at: isoTime(page.updatedAt),
});

const presentComponent = ({
  row: { id, key, listed, name, description, target, fixedStatus, show },
  label,
  group,
  targets,
}: PageComponent): Static<typeof PageComponentSchema> => ({
  ...{ id, key, listed, label, name, group, description },
  ...{ ...target, targets },
  ...{ fixed_status: fixedStatus, show },
});

export const presentWhole = (
  page: PageRow,
  { domains, ...place }: Place & { domains: string[] },
  components: readonly PageComponent[],
): Static<typeof PageSchema> => ({
  ...presentSummary(page, place),
  description: page.description,
  logo_url: page.logoUrl,
  custom_css: page.customCss,
  css_dropped: sanitizeCss(page.customCss).dropped,
  theme: page.theme,
  ...{ show_hostname: page.showHostname, show_os: page.showOs, show_version: page.showVersion },
  ...{ history_days: page.historyDays, zone: page.zone, auto_incidents: page.autoIncidents },
  noindex: page.noindex,
  ...presentAccess(page),
  domains,
  components: components.map(presentComponent),
});
