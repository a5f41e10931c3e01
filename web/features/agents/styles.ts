/** The stylesheets of the screens of servers, loaded with the first of them, in the order in which they apply. */
import thresholds from "../notifications/thresholds/thresholds.css" with { type: "file" };
import detail from "./detail/agent-detail.css" with { type: "file" };
import machine from "./detail/machine/agent-machine.css" with { type: "file" };
import guide from "./guide/agent-guide.css" with { type: "file" };
import list from "./list/agent-list.css" with { type: "file" };
import live from "./live/agent-live.css" with { type: "file" };
import plan from "./plan/agent-plan.css" with { type: "file" };

export default [list, detail, guide, machine, thresholds, plan, live];
