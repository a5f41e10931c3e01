/** The stylesheets of the list of monitors, of their form and of the page of one, each in the order they apply. */
import charts from "../../ui/charts/styles";
import chooser from "../../ui/controls/chooser.css" with { type: "file" };
import facts from "../../ui/layout/fact-panel.css" with { type: "file" };
import listHead from "../../ui/layout/list-head.css" with { type: "file" };
import runs from "../../ui/layout/runs.css" with { type: "file" };
import outages from "../outages/outage-list.css" with { type: "file" };
import figures from "../problems/figures.css" with { type: "file" };
import bulk from "./bulk/bulk.css" with { type: "file" };
import overview from "./detail/overview.css" with { type: "file" };
import form from "./form/form.css" with { type: "file" };
import rows from "./list/monitor-rows.css" with { type: "file" };
import monitorDetail from "./monitor-detail.css" with { type: "file" };
import objective from "./objective/objective.css" with { type: "file" };

export const listStyles = [listHead, figures, rows, bulk];
export const formStyles = [chooser, form];
export const pageStyles = [...charts, outages, monitorDetail, overview, runs, objective, facts];
