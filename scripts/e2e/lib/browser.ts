import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import type { Language } from "../../../src/shared/language";

// The headless shell takes a quarter less CPU time.
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

const program = (): string => {
  const found = process.env.CHROMIUM || NAMES.map((name) => Bun.which(name)).find((path) => path !== null);
  if (!found)
    throw new Error(
      "no browser: install Chromium (Debian: apt-get install chromium-headless-shell), or name it in CHROMIUM",
    );
  return found;
};

const launch = () =>
  chromium.launch({
    executablePath: program(),
    // Chromium's sandbox does not work as root in a container.
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // A name of this machine that is no secure context over plain HTTP.
      "--host-resolver-rules=MAP wakeful.example 127.0.0.1",
    ],
  });

/** Milliseconds for one step of a browser: a busy machine has needed more than 30 s for the first page. */
const STEP_TIMEOUT = 120_000;

let shared: Promise<Browser> | undefined;

/**
 * Launches a browser with a new profile, or returns the browser of an earlier test file in this process. Each context has
 * cookies and storage of its own. `close` closes the contexts only; the browser ends with the process.
 */
export const launchBrowser = async (): Promise<Browser> => {
  const running = await shared;
  if (running?.isConnected()) return running;
  shared = launch();
  const browser = await shared;
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(STEP_TIMEOUT);
    return context;
  };
  browser.close = async () => {
    for (const context of browser.contexts()) await context.close();
  };
  return browser;
};

export type Look = { language: Language; theme: "light" | "dark"; width: number; height: number };
export const wide = { width: 1280, height: 800 };
export const narrow = { width: 360, height: 740 };

/** Language, theme and width of a browser context. Its pages have no service worker, which would answer before `route`. */
export const contextOf = ({ language, theme, width, height }: Look) => ({
  serviceWorkers: "block" as "block" | "allow",
  locale: language,
  colorScheme: theme,
  viewport: { width, height },
  reducedMotion: "reduce" as const,
});

/** Signs a browser in by storing the session before a page loads. */
export const signInWith = (context: BrowserContext, stored: { token: string; user: unknown }) =>
  context.addInitScript(({ token, user }) => {
    localStorage.setItem("token", token);
    localStorage.setItem("user", JSON.stringify(user));
  }, stored);

type Stored = Parameters<typeof signInWith>[1];
type Opened = { page: Page; newErrors: () => string[] };
const reused = new Map<string, Opened>();

/**
 * A page with nothing stored and nothing recorded, as in a new context, which takes twice the CPU time. Tests of a file that
 * run one after the other get the same page, one for each language and user. Tests that route requests, set a clock or open
 * further pages need a context of their own.
 */
export const reusePage = async (browser: Browser, look: Look, stored?: Stored): Promise<Opened> => {
  const key = `${look.language} ${stored?.token}`;
  const opened = reused.get(key);
  if (!opened || opened.page.isClosed() || opened.page.context().browser() !== browser) {
    const context = await browser.newContext(contextOf(look));
    if (stored) await signInWith(context, stored);
    const page = await context.newPage();
    const first = { page, newErrors: await recordPageErrors(page) };
    reused.set(key, first);
    return first;
  }
  const { page, newErrors } = opened;
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto("about:blank");
  await page.setViewportSize(look);
  await page.emulateMedia({ colorScheme: look.theme });
  newErrors();
  return opened;
};

/**
 * Performs an action and waits for its toast, not for an earlier one with the same text, or a text of the page that has it
 * in it. The page itself watches for the toast, because on a busy machine it may be gone before this process asks.
 */
export const performAndWait = async (page: Page, text: string, act: () => Promise<unknown>): Promise<void> => {
  await page.locator(".toast").filter({ hasText: text }).first().waitFor({ state: "detached" });
  const appears = page.evaluate(
    ([text, timeout]) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          if (![...document.querySelectorAll(".toast")].some((toast) => toast.textContent?.includes(text))) return;
          observer.disconnect();
          resolve();
        };
        const observer = new MutationObserver(look);
        observer.observe(document.body, { childList: true, subtree: true, characterData: true });
        setTimeout(() => reject(new Error(`no toast with the text "${text}" appeared`)), timeout);
      }),
    [text, STEP_TIMEOUT] as const,
  );
  await Promise.all([appears, act()]);
};

/** Opens the menu of a button with this label, and chooses an item of it. */
export const chooseFromMenu = async (page: Page, label: string, item: string): Promise<void> => {
  await page.getByRole("button", { name: label, exact: true }).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};

/** Records console errors, crashes and CSP violations of a page. Returns a function that gives those since its last call. */
export const recordPageErrors = async (page: Page): Promise<() => string[]> => {
  let errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.addInitScript(() =>
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`${event.violatedDirective} refused ${event.blockedURI}`),
    ),
  );
  return () => {
    const recorded = errors;
    errors = [];
    return recorded;
  };
};
