import { boolean, component, integer, list, nullable, oneOf, time } from "../../../server/answers";
import { OVERALL } from "../../../shared/status-page";
import { PublicIncident } from "../incidents/present";
import { groupsField, pageFields, themeField } from "../service";
import { PublicAgentSchema } from "./agents";
import { PublicComponentSchema } from "./components";
import { PublicMaintenanceSchema } from "./maintenance";
import { PublicMonitorSchema } from "./monitors";
import { PublicOutageSchema } from "./outages";
import { unknownSinceField } from "./section";

/** Everything that a page shows. */
export const StatusPageData = component("StatusPageData", {
  ...pageFields,
  theme: themeField,
  published: boolean("Whether its owner has saved it; before, it is empty.", true),
  history_days: integer("Days of the bars and of the history.", 90),
  overall: nullable(
    oneOf("The overall status; null while nothing on the page has been checked, and while it is unknown.", OVERALL),
  ),
  unknown: unknownSinceField,
  updated_at: nullable(time("When anything on the page last changed.")),
  monitors: list(PublicMonitorSchema),
  agents: list(PublicAgentSchema),
  components: list(PublicComponentSchema, "Services that the page is composed of, besides its monitors and servers."),
  maintenance: list(PublicMaintenanceSchema, "What runs, and the next 10 of the next 7 days."),
  groups: groupsField,
  incidents: list(
    PublicIncident,
    "Open incidents with their latest 10 updates, and those that ended in the last 14 days with their latest one.",
  ),
  outages: list(PublicOutageSchema, "The outages of the last 14 days, newest first; at most 100."),
});
