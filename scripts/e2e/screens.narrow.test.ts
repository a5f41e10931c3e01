import { narrow } from "./lib/browser";
import { testScreens } from "./lib/screens";

// Each width has its own file, because files run in parallel.
testScreens(narrow);
