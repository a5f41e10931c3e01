/** The stylesheets of charts, in the order they apply. */
import uplot from "uplot/dist/uPlot.min.css" with { type: "file" };
import charts from "./charts.css" with { type: "file" };

export default [uplot, charts];
