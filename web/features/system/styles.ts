/** The stylesheets of the state of the hub, in the order they apply. */
import facts from "../../ui/layout/fact-panel.css" with { type: "file" };
import system from "./system.css" with { type: "file" };

export default [facts, system];
