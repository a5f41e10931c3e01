/** The stylesheets of the dashboard, in the order they apply. */
import held from "./held.css" with { type: "file" };
import panels from "./panels.css" with { type: "file" };
import start from "./start.css" with { type: "file" };

export default [held, panels, start];
