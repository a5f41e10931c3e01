import { type Static, t } from "elysia";
import { field, oneOf, whole, zoneField } from "../../../server/schema";
import { AUTO_MINUTES } from "../../../shared/status/auto-incidents";
import { COMPONENT_MODES, COMPONENT_SHOWS, COMPONENT_STATUSES, PAGE_LIMITS } from "../../../shared/status/components";
import { INCIDENT_LIMITS } from "../../../shared/status/incidents";
import { HISTORY_DAYS } from "../../../shared/status-page";
import { TAG_LIMITS } from "../../../shared/tags";
import { accessModel } from "../access/model";
import { lines } from "../incidents/model";
import { configModel } from "../model";

const textOf = (maxLength: number) =>
  t.String({ maxLength, error: `expected a text of at most ${maxLength} characters` });
const ids = (description: string) =>
  t.Optional(
    field(
      t.Array(t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
        maxItems: PAGE_LIMITS.targets,
        error: `expected a list of at most ${PAGE_LIMITS.targets} ids`,
      }),
      description,
    ),
  );

export const componentModel = t.Object({
  id: t.Optional(
    field(whole(1, Number.MAX_SAFE_INTEGER), "Of a component of the page that stays; a new one has none."),
  ),
  name: t.Optional(
    field(
      t.Union([textOf(PAGE_LIMITS.name), t.Null()]),
      "Its name; needed unless it is about one monitor or server, whose name it has then.",
      "Checkout",
    ),
  ),
  group: t.Optional(field(textOf(PAGE_LIMITS.name), "The heading above it; empty for none.", "Shop")),
  description: t.Optional(field(textOf(PAGE_LIMITS.description), "A text for visitors.", "Carts and payments")),
  monitors: ids("Ids of monitors."),
  agents: ids("Ids of servers."),
  tag: t.Optional(
    field(
      t.Union([textOf(TAG_LIMITS.filter), t.Null()]),
      "A tag, as its name or `name:value`: everything that has it. Visitors do not see it.",
    ),
  ),
  mode: t.Optional(
    field(
      oneOf(COMPONENT_MODES),
      "It works while any of its targets does, all do (by default), or at least `n`.",
      "all",
    ),
  ),
  n: t.Optional(field(whole(1, PAGE_LIMITS.targets), "Of `at_least`.")),
  fixed_status: t.Optional(
    field(
      t.Union([oneOf(COMPONENT_STATUSES), t.Null()]),
      "A status set by hand; null for the measured one.",
      "operational",
    ),
  ),
  show: t.Optional(field(oneOf(COMPONENT_SHOWS), "Whether it has a bar of days.", "bar")),
});
export type ComponentBody = Static<typeof componentModel>;

const { after, resolve_after } = AUTO_MINUTES;
const autoModel = t.Object(
  {
    after: field(whole(after.min, after.max), "Minutes of an outage before its incident is published.", 10),
    title: field(lines(INCIDENT_LIMITS.title), "Its title, with the variables of templates.", "{{component}} is down"),
    body: field(lines(INCIDENT_LIMITS.body), "Its first update, in Markdown.", "We are looking into it."),
    resolve_after: field(
      whole(resolve_after.min, resolve_after.max),
      "Minutes without an outage before it is resolved.",
      5,
    ),
    resolved_body: field(lines(INCIDENT_LIMITS.body), "Its last update, in Markdown.", "It works again."),
  },
  { description: "Incidents that the hub publishes by itself, until a person writes; null for none." },
);

const { title, description, logo_url, custom_css, theme, show_hostname, show_os, show_version } =
  configModel.properties;
const fields = {
  ...{ title, description, logo_url, custom_css, theme, show_hostname, show_os, show_version },
  history_days: t.Optional(
    field(oneOf(HISTORY_DAYS), "Days of the bars, their uptime and the history: 90 unless it is set.", 90),
  ),
  zone: zoneField("The zone in which the months of the history begin: UTC unless it is set."),
  auto_incidents: t.Optional(t.Union([autoModel, t.Null()])),
  noindex: t.Optional(
    field(t.Boolean({ error: "expected true or false" }), "Whether search engines are asked not to list it."),
  ),
  ...accessModel,
  components: t.Optional(
    field(
      t.Array(componentModel, {
        maxItems: PAGE_LIMITS.components,
        error: `expected a list of at most ${PAGE_LIMITS.components} components`,
      }),
      "The components, in order. Those of the page that are not in it are deleted.",
    ),
  ),
};

export const newPageModel = t.Object({
  slug: field(
    textOf(PAGE_LIMITS.slug),
    "Its name in the address, of letters, digits, `_` and `-`. It does not change.",
    "shop",
  ),
  ...fields,
});
export type NewPageBody = Static<typeof newPageModel>;

export const pageModel = t.Object({
  ...fields,
  updated_at: t.Optional(
    field(
      t.String({ maxLength: 40 }),
      "The time of the page that you have changed: 409 if it was saved since. `If-Match` with it does the same.",
    ),
  ),
});
export type PageBody = Static<typeof pageModel>;
