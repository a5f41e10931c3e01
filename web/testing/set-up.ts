import "./test-dom";
import { afterEach, beforeEach } from "bun:test";
import { startI18n } from "../i18n";
import { resetResources } from "../lib/resource";
import { cleanup, fakeServer } from "./test-page";

/** Starts every test of a file without cached data, in English or the given language, and closes its page afterwards. */
export const setUpPage = (language = "en-US"): void => {
  beforeEach(async () => {
    resetResources();
    fakeServer.reset();
    localStorage.setItem("i18nextLng", language);
    await startI18n();
  });
  afterEach(cleanup);
};
