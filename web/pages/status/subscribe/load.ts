import { loadStyles } from "../../../lib/offline/styles";
import { SubscribeDialog } from "./dialog";
import styles from "./subscribe.css" with { type: "file" };

/** Loads the dialog with its styles when a visitor opens it. */
export const load = async () => {
  await loadStyles(styles);
  return SubscribeDialog;
};
