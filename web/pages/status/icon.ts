import { type IconName, iconPaths } from "../../lib/icon-paths";
import { svg } from "./dom";

/** Decoration only: the word beside it carries the meaning. */
export const icon = (name: IconName) =>
  svg(
    "svg",
    {
      class: "icon",
      viewBox: "0 0 24 24",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.75,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
      "aria-hidden": "true",
    },
    svg("path", { d: iconPaths[name] }),
  );
