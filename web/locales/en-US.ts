import { first } from "./en-US/first";
import { withFirst } from "./merge";
import { screens } from "./screens/en-US";
import type { Translation } from "./zh-CN";

/** All texts of the console. */
export const enUS: Translation = withFirst(first, screens);
