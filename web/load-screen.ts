import type { ComponentType } from "react";
import type { Language } from "../src/shared/language";
import { addTexts, loadAllTexts } from "./i18n";
import { later } from "./lib/offline/code";
import { loadScreenStyles } from "./lib/offline/screen-styles";

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

/** A screen of visitors, whose code and texts are loaded when it is opened. */
export const visitorScreen = (load: LoadPage) =>
  later(async () => {
    const [page] = await Promise.all([load(), loadAllTexts()]);
    return page;
  });

/** A screen of users, loaded with the styles that visitors do without. */
export const screen = (load: LoadPage) =>
  visitorScreen(async () => {
    const [page] = await Promise.all([load(), loadScreenStyles()]);
    return page;
  });
