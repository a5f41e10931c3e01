import screens from "../../styles/screens.css" with { type: "file" };
import { loadStyles } from "./styles";

/** Loads the styles of the screens that visitors do without. */
export const loadScreenStyles = (): Promise<void> => loadStyles(screens);
