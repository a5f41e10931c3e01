import "./test-dom";
import { afterEach, beforeEach } from "bun:test";
import { startI18n } from "../i18n";
import { resetResources } from "../lib/resource";
import { cleanup, fakeServer } from "./test-page";

/** Starts each test of a file without data of the one before, in a language and at an address, and closes its page after it. */
export const setUpPage = ({ language = "en-US", path = "/" } = {}): void => {
  beforeEach(async () => {
    resetResources();
    fakeServer.reset();
    localStorage.setItem("i18nextLng", language);
    history.replaceState(null, "", path);
    await startI18n();
  });
  afterEach(cleanup);
};
