import { testScreens } from "../lib/screens";

// Each language has its own file, because files run in parallel.
testScreens("zh-CN");
