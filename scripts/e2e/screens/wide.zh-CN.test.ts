import { wide } from "../lib/browser";
import { testScreens } from "../lib/screens";

// Each language and width has its own file, because files run in parallel.
testScreens("zh-CN", wide);
