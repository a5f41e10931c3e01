/** The stylesheets of the screens of servers, loaded with the first screen, in the order they apply. */

import charts from "../../ui/charts/styles";
import chooser from "../../ui/controls/chooser.css" with { type: "file" };
import facts from "../../ui/layout/fact-panel.css" with { type: "file" };
import head from "../../ui/layout/list-head.css" with { type: "file" };
import thresholds from "../notifications/thresholds/thresholds.css" with { type: "file" };
import outages from "../outages/outage-list.css" with { type: "file" };
import folding from "./detail/machine/folding.css" with { type: "file" };
import machine from "./detail/machine/server-machine.css" with { type: "file" };
import detail from "./detail/server-detail.css" with { type: "file" };
import guide from "./guide/server-guide.css" with { type: "file" };
import list from "./list/server-list.css" with { type: "file" };
import live from "./live/server-live.css" with { type: "file" };
import plan from "./plan/server-plan.css" with { type: "file" };
import card from "./server-card.css" with { type: "file" };

export default [
  ...charts,
  head,
  card,
  outages,
  list,
  detail,
  chooser,
  guide,
  machine,
  folding,
  facts,
  thresholds,
  plan,
  live,
];
