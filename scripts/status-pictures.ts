/**
 * `bun scripts/status-pictures.ts`: draws the pictures that chats show beside a link to a status page, one for each state,
 * into web/assets. They have no text, because a picture has one language. Run it after a change here, and commit the result.
 */
import { launchBrowser } from "./e2e/lib/browser";

/** The colours of the product's light theme, and the path of the icon of the banner on a status page. */
const STATES = {
  operational: { fill: "#1f9d61", soft: "#e5f6ed", icon: "M8 12.4l2.8 2.8 5.4-5.8" },
  degraded: { fill: "#c08209", soft: "#fdf3dc", icon: "M6.3 15.5a6.6 6.6 0 1 1 11.4 0M12 13.5l3-3.4" },
  partial: { fill: "#c08209", soft: "#fdf3dc", icon: "M12 6.8l6 10.5H6zM12 10.8v2.7M12 15.4v.01" },
  outage: { fill: "#d93a4a", soft: "#fdecee", icon: "M12 7.5V13M12 16.3v.01" },
  maintenance: { fill: "#5a86c5", soft: "#e7effa", icon: "M10 8v8M14 8v8" },
  unknown: { fill: "#a9abbf", soft: "#f8f8fb", icon: "M8.5 12h.01M12 12h.01M15.5 12h.01" },
};

const WELL = "#1f9d61";
const BARS = { count: 30, width: 18, gap: 10, height: 84, top: 452 };

/** A row of bars like the days of a monitor. The last bars have the colour of the state. */
const barsOf = (name: string, fill: string): string => {
  const left = (1200 - BARS.count * (BARS.width + BARS.gap) + BARS.gap) / 2;
  return Array.from({ length: BARS.count }, (_, index) => {
    const isPast = name !== "unknown" && index < BARS.count - 3;
    const x = left + index * (BARS.width + BARS.gap);
    return `<rect x="${x}" y="${BARS.top}" width="${BARS.width}" height="${BARS.height}" rx="4" fill="${isPast ? WELL : fill}"/>`;
  }).join("");
};

const mark = (await Bun.file("web/assets/mark.svg").text()).replace(
  "<svg",
  '<svg x="1096" y="40" width="64" height="64"',
);

const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
for (const [name, { fill, soft, icon }] of Object.entries(STATES)) {
  await page.setContent(`<body style="margin:0"><svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" display="block">
    <rect width="1200" height="630" fill="${soft}"/><circle cx="600" cy="250" r="104" fill="${fill}"/>
    <g transform="translate(480 130) scale(10)" fill="none" stroke="#fff" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"><path d="${icon}"/></g>
    ${barsOf(name, fill)}${mark}</svg>`);
  await page.screenshot({ path: `web/assets/status_${name}.png` });
}
// The browser ends with the process.
process.exit();
