import type { Words } from "../zh-CN";
import type { frame as zhCN } from "../zh-CN/frame";

/** Texts around the screens of the console, which pages of their own do without. They are part of `common`. */
export const frame: Words<typeof zhCN> = {
  connection: {
    asOf: "Offline, as of {{time}}.",
    missing: "The server can’t be reached. The page opens as soon as it responds.",
    outdated: "A new version is available. Reload to continue.",
  },
  crash: {
    title: "Unexpected Application Error!",
    text: "Something on this page broke. Reloading usually helps. If it keeps happening, send the text below to your administrator.",
  },
  notFound: { title: "Page not found", text: "There is nothing at this address. It may have been moved or deleted." },
  loading: "Loading",
  loadingSlow: "This is taking longer than usual.",
  optional: "optional",
  none: "None",
  action: {
    refresh: "Refresh",
    cancel: "Cancel",
    close: "Close",
    save: "Save",
    saving: "Saving…",
    edit: "Edit",
    delete: "Delete",
    deleting: "Deleting…",
    view: "View",
    more: "More actions",
    backHome: "Back to home",
    toDashboard: "Open the dashboard",
  },
  of: "{{used}} of {{total}}",
  owner: "{{name}}’s",
  ownerTitle: "Belongs to {{name}}",
};
