/** The stylesheets of notification settings, loaded with the first screen that needs them, in the order they apply. */
import alerts from "./alerts-tab/alerts-tab.css" with { type: "file" };
import dependencies from "./dependencies/card.css" with { type: "file" };
import history from "./history/history.css" with { type: "file" };
import policies from "./policies/policies.css" with { type: "file" };
import rules from "./rules/rules.css" with { type: "file" };
import settings from "./rules/settings.css" with { type: "file" };
import templates from "./templates/templates.css" with { type: "file" };

export default [settings, dependencies, templates, policies, rules, history, alerts];
