import type { ComponentType } from "react";
import type { Language } from "../src/shared/language";
import maintenanceStyles from "./features/maintenance/maintenance.css" with { type: "file" };
import subscriberStyles from "./features/subscribers/subscribers.css" with { type: "file" };
import { addTexts, loadAllTexts } from "./i18n";
import { later } from "./lib/offline/code";
import { loadStyles } from "./lib/offline/styles";
import areaStyles from "./ui/controls/area-tabs.css" with { type: "file" };

export type Page = ComponentType<{ id: string }>;
export type LoadPage = () => Promise<{ default: Page; prepare?: (id: string) => Promise<unknown> }>;
type LoadTexts = () => Promise<{ texts: Record<Language, object> }>;

/** Loads a page with the texts that other screens do without, by the name that they begin with. */
export const withTexts =
  (name: string, load: LoadPage, loadTexts: LoadTexts): LoadPage =>
  async () => {
    const [page, { texts }] = await Promise.all([load(), loadTexts()]);
    addTexts({ [name]: texts });
    return page;
  };

/** A page whose code is loaded when it is opened, with the texts that visitors who are not signed in do without. */
export const screen = (load: LoadPage) =>
  later(async () => {
    const [page] = await Promise.all([load(), loadAllTexts()]);
    return page;
  });

/** A screen with styles that the others do without. */
export const styledScreen = (styles: readonly string[], load: LoadPage) =>
  screen(async () => {
    const [page] = await Promise.all([load(), ...styles.map(loadStyles)]);
    return page;
  });

/** A screen of the status page's area, which has links to the others. */
export const areaScreen = (styles: readonly string[], load: LoadPage) => styledScreen([areaStyles, ...styles], load);

/** The screen of maintenance with its texts. */
const maintenanceScreen = (load: LoadPage) =>
  areaScreen(
    [maintenanceStyles],
    withTexts("maintenance", load, () => import("./features/maintenance/texts")),
  );

/** The screen of subscribers with its texts. */
const subscriberScreen = (load: LoadPage) =>
  areaScreen(
    [subscriberStyles],
    withTexts("subscribers", load, () => import("./features/subscribers/texts")),
  );

/** Screens of that area with texts of their own. */
export const areaScreens = { maintenanceScreen, subscriberScreen };
