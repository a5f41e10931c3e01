import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { storedInTab, storeInTab } from "../storage";
import { addMissing, onRetry, setOutdated } from "./connection";

/** Milliseconds between two attempts to load code. */
const PAUSE = 5000;
const TIMEOUT = 10_000;
/** In the tab's storage: the page that this one was reloaded for. */
const RELOADED = "reloaded for";

/** The name of this page's first script. */
export const ownScript = (): string | null =>
  document.querySelector('script[type="module"]')?.getAttribute("src") ?? null;

/** The name of the first script of the server's current page, which contains a hash of its content; null without an answer. */
const currentScript = async (): Promise<string | null> => {
  try {
    const response = await fetch(document.baseURI, {
      headers: { accept: "text/html" },
      cache: "no-store",
      credentials: "omit",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    // Not parsed as a document: the content security policy does not allow that.
    return response.ok ? (/<script type="module"[^>]*? src="([^"]+)"/.exec(await response.text())?.[1] ?? null) : null;
  } catch {
    return null;
  }
};

/**
 * Reloads the page if the server has another one: the code of the old one is gone. It does so once for each new page, so
 * that a page which fails again does not reload for ever; without storage it only notes that the page is outdated.
 */
export const reloadIfOutdated = async (reload: () => void): Promise<void> => {
  const script = await currentScript();
  if (!script || script === ownScript()) return;
  const before = storedInTab(RELOADED);
  storeInTab(RELOADED, script);
  if (before === script || storedInTab(RELOADED) !== script) setOutdated();
  else reload();
};

const nextAttempt = () =>
  new Promise<void>((resolve) => {
    const stop = onRetry(() => {
      stop();
      resolve();
    }, PAUSE);
  });

/** Loads code that is needed now. A failed attempt is repeated until it succeeds, so the page never fails for lack of it. */
export const loadNeeded = async <T>(load: () => Promise<T>, reload = () => location.reload()): Promise<T> => {
  let failed = false;
  while (true) {
    try {
      const loaded = await load();
      if (failed) addMissing(-1);
      return loaded;
    } catch (error) {
      if (!failed) {
        console.warn("Failed to load a part of the page, will retry", error);
        addMissing(1);
      }
      failed = true;
      await reloadIfOutdated(reload);
      await nextAttempt();
    }
  }
};

/** A module with a component, and a function that loads the data it begins with, by the id of its item. */
type Module = { default: unknown; prepare?: (id: string) => Promise<unknown> };
type Load = () => Promise<Module>;
const loads = new WeakMap<object, Load>();
/** The modules of components that were loaded before they are rendered. */
const loaded = new WeakMap<Load, Module>();
/** Parts of the page that nothing has asked for yet. */
const unused = new Set<Load>();

/**
 * A component whose code is loaded when it is first rendered, or before by `preload` and, unless only some viewers ever
 * see it, by `preloadAll`.
 */
export const later = <Props>(
  load: () => Promise<Module & { default: ComponentType<Props> }>,
  isForAll = true,
): LazyExoticComponent<ComponentType<Props>> => {
  const component = lazy(() => {
    const module = loaded.get(load);
    // Not a promise: React would show the fallback until its next turn, and then for 300 ms at least.
    // biome-ignore lint/suspicious/noThenProperty: React accepts any thenable
    const known = { then: (done: (known: unknown) => void) => done(module) } as ReturnType<typeof load>;
    return module ? known : loadNeeded(load);
  });
  loads.set(component, load);
  if (isForAll) unused.add(load);
  return component;
};

/** Loads the code of a component before it is rendered, and returns its module. A failure is no problem yet. */
export const preload = async (component: object): Promise<Module | undefined> => {
  const load = loads.get(component);
  if (!load) return undefined;
  unused.delete(load);
  try {
    const module = await load();
    loaded.set(load, module);
    return module;
  } catch {
    unused.add(load);
    return undefined;
  }
};

const idle = () =>
  new Promise<void>((resolve) => {
    // Safari has no requestIdleCallback.
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 200);
  });

/**
 * Loads one part of the page after another while the browser has nothing else to do, so that screens open without a delay,
 * and also without a server. Viewers who save data load each screen when they open it. Stops at the first failure.
 */
export const preloadAll = async (): Promise<void> => {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
  for (;;) {
    await idle();
    const [load] = unused;
    if (!load) return;
    unused.delete(load);
    try {
      loaded.set(load, await load());
    } catch {
      unused.add(load);
      return;
    }
  }
};
