/** The stylesheets of reports, loaded with the first one, in the order they apply. */
import emptyColumns from "../../ui/layout/empty-columns.css" with { type: "file" };
import table from "./report-table.css" with { type: "file" };
import reports from "./reports.css" with { type: "file" };
import print from "./reports-print.css" with { type: "file" };

export default [emptyColumns, reports, table, print];
