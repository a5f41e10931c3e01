import { withFirst } from "./merge";
import { screens } from "./screens/zh-CN";
import { first } from "./zh-CN/first";

/** All texts of the console. */
export const zhCN = withFirst(first, screens);

/** The shape of a text in another language: the same keys, with any strings. */
export type Words<T> = { readonly [K in keyof T]: T[K] extends string ? string : Words<T[K]> };

/** The texts of the console. A language without one of these keys does not compile. */
export type Translation = Words<typeof zhCN>;
