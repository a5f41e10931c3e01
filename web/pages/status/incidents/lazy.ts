import { loadStyles } from "../../../lib/offline/styles";
import { addIncidents } from "./sections";
import history from "./status-history.css" with { type: "file" };
import incidents from "./status-incidents.css" with { type: "file" };

/** Adds the sections once their styles apply, which the hub links in the document of a page with incidents. */
export const load = async (): Promise<void> => {
  addIncidents();
  const isLinked = (address: string) => document.querySelector(`link[href$="${address.split("/").at(-1)}"]`) !== null;
  for (const address of [incidents, history]) if (!isLinked(address)) await loadStyles(address);
};
