/**
 * `bun scripts/demo-pictures.ts`: takes the pictures of the READMEs from `dist/wakeful demo`, at 1280 × 800, into
 * docs/screenshots. Run it after `bun run build` where a screen looks different, and commit the result.
 */
import type { Language } from "../src/shared/language";
import { contextOf, type Look, launchBrowser, signInWith, wide } from "./e2e/lib/browser";
import { isSettled } from "./e2e/lib/screens";
import { freePort } from "./smoke/lib/free-port";

const FOLDER = "docs/screenshots";
/** Bytes that a picture may have. */
const MAX = 150 * 1024;

const startDemo = async (language: Language) => {
  const port = freePort();
  const child = Bun.spawn(["dist/wakeful", "demo", "--port", String(port), "--language", language], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk);
    if (said.includes("Ctrl-C")) break;
  }
  const [, password = ""] = /password (\S+)/.exec(said) ?? [];
  const origin = `http://127.0.0.1:${port}`;
  const answer = await fetch(`${origin}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "demo", password }),
  });
  const { token, user } = (await answer.json()) as { token: string; user: unknown };
  const stop = async () => {
    child.kill("SIGTERM");
    await child.exited;
  };
  return { origin, signedIn: { token, user }, stop };
};

const browser = await launchBrowser();

const takePicture = async ({ origin, signedIn }: Awaited<ReturnType<typeof startDemo>>, path: string, look: Look) => {
  const context = await browser.newContext(contextOf(look));
  // Visitors of the status page are not signed in.
  if (path !== "/status") await signInWith(context, signedIn);
  const page = await context.newPage();
  await page.goto(origin + path);
  await page.waitForFunction(isSettled);
  const file = `${FOLDER}${path}-${look.language}-${look.theme}-${look.width}.jpg`;
  const { byteLength } = await page.screenshot({ path: file, type: "jpeg", quality: 80 });
  if (byteLength > MAX) throw new Error(`${file} has ${byteLength} bytes, more than ${MAX}`);
  console.log(file, byteLength);
  await context.close();
};

for (const [language, theme] of [
  ["en-US", "light"],
  ["zh-CN", "dark"],
] as const) {
  const demo = await startDemo(language);
  await takePicture(demo, "/dashboard", { language, theme, ...wide });
  await takePicture(demo, "/status", { language, theme: "light", ...wide });
  await demo.stop();
}
// The browser ends with the process.
process.exit();
