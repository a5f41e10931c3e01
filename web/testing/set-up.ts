import { afterEach, beforeEach } from "bun:test";
import i18next from "i18next";
import { createStore, getDefaultStore } from "jotai";
import { startI18n } from "../i18n";
import { signOut } from "../session";
import { setWidth } from "./test-dom";
import { cleanup, fakeServer } from "./test-page";

/** Prepares each test of a file: the state of a page that has just been opened, a language and an address. Unmounts the page after each test. */
export const setUpPage = ({ language = "en-US", path = "/", width = 1280 } = {}): void => {
  beforeEach(async () => {
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
    // A failed test may leave it set.
    Reflect.deleteProperty(document, "hidden");
    setWidth(width);
    fakeServer.reset();
    // The store has the state of all atoms; in a new one each atom has its first value.
    Object.assign(getDefaultStore(), createStore());
    signOut();
    localStorage.setItem("i18nextLng", language);
    history.replaceState(null, "", path);
    if (i18next.isInitialized) await i18next.changeLanguage(language);
    else await startI18n();
  });
  afterEach(cleanup);
};
