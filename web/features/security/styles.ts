/** The stylesheets of the security log, with the rows of a monitor's history, in the order they apply. */
import runs from "../../ui/layout/runs.css" with { type: "file" };
import security from "./security.css" with { type: "file" };

export default [runs, security];
