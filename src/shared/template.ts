/** The names of the `{name}` placeholders in a text. */
export type ParamNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** Replaces each `{name}` of a text by its parameter; a missing one is left out. Parameters are not expanded again. */
export const fill = (text: string, params: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ""));
