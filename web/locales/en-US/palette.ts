import type { Translation } from "../zh-CN";

export const palette: Translation["palette"] = {
  label: "Search and commands",
  input: "Find a monitor, a server, a page or an action",
  none: "Nothing found.",
  failed: "Monitors and servers can’t be searched just now.",
  group: { monitors: "Monitors", servers: "Servers", screens: "Pages", actions: "Actions" },
  word: { acknowledge: "acknowledge", check: "check", pause: "pause", resume: "resume" },
  do: {
    acknowledge: "Acknowledge {{name}}",
    check: "Check {{name}} now",
    pause: "Pause {{name}}",
    resume: "Resume {{name}}",
  },
  publicPage: "Public status page",
  copyInstall: "Copy the agent’s install command (Linux x86-64)",
  installCopied: "Install command copied",
  installFailed: "The install command could not be made. “Add a server” shows why",
  hint: { walk: "choose", open: "open", close: "close" },
  keys: {
    title: "Keyboard shortcuts",
    search: "Search or go to",
    find: "Search the list",
    walk: "Move through the list",
    open: "Open the selected row",
    close: "Close, or return to the list",
    help: "Show the shortcuts",
  },
};
