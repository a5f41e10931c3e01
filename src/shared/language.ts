export const LANGUAGES = ["zh-CN", "en-US"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The names of the `{name}` placeholders in a text. */
export type ParamNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** Replaces each `{name}` of a text by its parameter; a missing one is left out. Parameters are not expanded again. */
export const fill = (text: string, params: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ""));

/** The first requested language that is supported, or Chinese. */
export const chooseLanguage = (requested: readonly string[]): Language => {
  const known = requested.flatMap((tag) =>
    LANGUAGES.filter((language) => language.slice(0, 2) === tag.trim().slice(0, 2).toLowerCase()),
  );
  return known[0] ?? "zh-CN";
};

/** Separates figures from the Chinese characters beside them by a space, as the interface writes them: "2小时" → "2 小时". */
export const spaceFigures = (text: string): string =>
  text.replace(/(\d)(?=\p{Script=Han})|(\p{Script=Han})(?=\d)/gu, "$1$2 ");
