import { afterEach, beforeEach } from "bun:test";
import { startI18n } from "../i18n";
import { noteHubTime } from "../lib/now";
import { resetResources } from "../lib/resource";
import { setWidth } from "./test-dom";
import { cleanup, fakeServer } from "./test-page";

/** Prepares each test of a file: no data of the test before, a language and an address. Unmounts the page after each test. */
export const setUpPage = ({ language = "en-US", path = "/" } = {}): void => {
  beforeEach(async () => {
    resetResources();
    // The clock of the last test's hub may have been another one.
    noteHubTime(Date.now(), Date.now());
    setWidth(1280);
    fakeServer.reset();
    localStorage.setItem("i18nextLng", language);
    history.replaceState(null, "", path);
    await startI18n();
  });
  afterEach(cleanup);
};
