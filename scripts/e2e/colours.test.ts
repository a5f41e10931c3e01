import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { freePort } from "../smoke/lib/free-port";
import { type HubProcess, installConsole, joinAs, monitorOf, startConsole } from "../smoke/lib/hub";
import { startNginx } from "../smoke/lib/nginx";
import { until } from "../smoke/lib/until";
import { launchBrowser, narrow, reusePage, wide } from "./lib/browser";
import { screenshot } from "./lib/pictures";
import { addServer } from "./lib/servers";

const NAMES = ["Payments API", "Website", "Search", "Sign-in", "Documentation", "Warehouse"];
const installation = installConsole();
const port = freePort();
let target: Awaited<ReturnType<typeof startNginx>>;
let running: HubProcess;
let browser: Browser;
/** A page to read pictures in. */
let canvas: Page;
let signedIn: { token: string; user: unknown };

beforeAll(async () => {
  target = await startNginx(port, `server { listen 127.0.0.1:${port}; location / { return 200 fine; } }`);
  running = await startConsole(installation);
  const alice = await joinAs(running, "alice");
  signedIn = alice.signedIn;
  for (const name of NAMES)
    await alice.post("/api/monitors", { ...monitorOf(`http://localhost:${port}/`, name), retries: 0 });
  await until("all are up", async () => (await alice.get("/api/monitors")).body.counts.up === NAMES.length);
  // A busy disk and memory are no failure.
  const agents = [
    await addServer(running.origin, alice, "web-1", 22),
    await addServer(running.origin, alice, "database-1", 61),
  ];
  await alice.post("/api/status/config", {
    title: "Acme",
    description: "",
    logoUrl: "",
    customCss: "",
    monitors: [1, 2, 3],
    agents,
  });
  browser = await launchBrowser();
  canvas = await browser.newPage();
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  await target.stop();
  installation.remove();
});

/** Counts the pixels of a picture that are saturated red or amber. */
const alarmingPixels = (picture: Buffer): Promise<number> =>
  canvas.evaluate(
    async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      if (!context) throw new Error("the browser has no canvas");
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
        const least = Math.min(red, green, blue);
        // Red leads from crimson to amber. Tints and dark tints are pale or dark, so they do not count.
        const isWarm = red >= green && red >= blue && blue <= green + 60;
        if (isWarm && red > 150 && (red - least) / red > 0.5) count++;
      }
      return count;
    },
    `data:image/png;base64,${picture.toString("base64")}`,
  );

const screens = {
  dashboard: "/dashboard",
  monitors: "/monitors",
  monitor: "/monitors/1",
  servers: "/agents",
  server: "/agents/1",
  public: "/status",
};

for (const [theme, size] of [
  ["light", wide],
  ["dark", narrow],
] as const)
  it(`shows no saturated red or amber of a healthy installation (${theme}, ${size.width} px)`, async () => {
    const { page } = await reusePage(browser, { language: "en-US", theme, ...size }, signedIn);
    const found: Record<string, number> = {};
    for (const [name, path] of Object.entries(screens)) {
      await page.goto(running.origin + path);
      await page.waitForFunction(
        () =>
          document.querySelector("main h1") !== null &&
          document.querySelector(".skeleton, .chart-note:empty, [aria-busy=true]") === null,
      );
      await screenshot(page, `${name}-${theme}-${size.width}`, true);
      const picture = await page.screenshot({ fullPage: true });
      found[name] = await alarmingPixels(picture);
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(screens).map((name) => [name, 0])));
  });

it("counts red and amber of what is broken, and neither tints nor the other colours", async () => {
  await canvas.setViewportSize({ width: 100, height: 100 });
  const count = async (colour: string) => {
    await canvas.setContent(`<body style="margin:0;background:${colour}">`);
    return alarmingPixels(await canvas.screenshot());
  };
  for (const alarming of ["#d93a4a", "#f2606f", "#c08209", "#e5aa35"]) expect(await count(alarming)).toBe(10_000);
  for (const calm of ["#fdecee", "#3b1a21", "#fdf3dc", "#362a10", "#5546d6", "#1f9d61", "#35c484", "#b0a7ff"])
    expect(await count(calm)).toBe(0);
});
