import detect from "./detect.sh" with { type: "text" };
import download from "./download.sh" with { type: "text" };
import fetch from "./fetch.sh" with { type: "text" };
import files from "./files.sh" with { type: "text" };
import main from "./install.sh" with { type: "text" };
import openrcAndCron from "./openrc-and-cron.sh" with { type: "text" };
import platform from "./platform.sh" with { type: "text" };
import start from "./start.sh" with { type: "text" };
import systemd from "./systemd.sh" with { type: "text" };
import uninstall from "./uninstall.sh" with { type: "text" };
import words from "./words.sh" with { type: "text" };

const PARTS: Record<string, string> = {
  detect,
  download,
  fetch,
  files,
  "openrc-and-cron": openrcAndCron,
  platform,
  start,
  systemd,
  uninstall,
  words,
};

/** The lines of install.sh that read a part, which shellcheck follows. */
const PART = /^# shellcheck source=.*\n\. script\/([\w-]+)\.sh$/gm;

/** The agent's install script in one piece, for a hub at this address. */
export const installScript = (server: string): string =>
  main
    .replace(PART, (_, name: string) => (PARTS[name] as string).replace(/^# shellcheck shell=sh\n/, "").trimEnd())
    .replace("@SERVER@", () => server);
