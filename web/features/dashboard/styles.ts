/** The stylesheets of the dashboard, in the order they apply. */
import panels from "./panels.css" with { type: "file" };
import start from "./start.css" with { type: "file" };

export default [panels, start];
