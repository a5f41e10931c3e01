/** The stylesheets of a monitor's page, loaded with the first one, in the order they apply. */
import facts from "../../ui/layout/fact-panel.css" with { type: "file" };
import runs from "../../ui/layout/runs.css" with { type: "file" };
import overview from "./detail/overview.css" with { type: "file" };
import monitorDetail from "./monitor-detail.css" with { type: "file" };
import objective from "./objective/objective.css" with { type: "file" };

export default [monitorDetail, overview, runs, objective, facts];
