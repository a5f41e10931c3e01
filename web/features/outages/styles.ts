/** The stylesheets of the list of outages and of the page of one, each in the order they apply. */
import charts from "../../ui/charts/styles";
import emptyColumns from "../../ui/layout/empty-columns.css" with { type: "file" };
import list from "./list/list.css" with { type: "file" };
import summary from "./list/summary.css" with { type: "file" };
import page from "./outage-page.css" with { type: "file" };

export const listStyles = [emptyColumns, summary, list];
export const pageStyles = [...charts, page];
