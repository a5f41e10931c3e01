import type { Words } from "../zh-CN";
import type { shared as zhCN } from "../zh-CN/shared";

/** Words that several screens behind the sign-in share. */
export const shared: Words<typeof zhCN> = {
  view: { label: "View", grid: "Cards", list: "List" },
  leave: {
    discard: "Discard your changes?",
    title: "Leave this page?",
    text: "Your changes aren’t saved and will be lost.",
    confirm: "Discard changes",
  },
};
