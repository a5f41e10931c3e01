export const LANGUAGES = ["zh-CN", "en-US"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The names of the `{name}` placeholders in a text. */
export type ParamNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** Replaces each `{name}` of a text by its parameter; a missing one is left out. Parameters are not expanded again. */
export const fill = (text: string, params: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ""));

const primaryOf = (tag: string) => tag.trim().split(/[-_]/, 1)[0]?.toLowerCase();

/** The first supported language of a list of language tags; regions do not count. */
export const findLanguage = (tags: readonly string[]): Language | undefined => {
  for (const tag of tags) {
    const found = LANGUAGES.find((language) => primaryOf(language) === primaryOf(tag));
    if (found) return found;
  }
  return undefined;
};

/** Separates figures from the Chinese characters beside them by a space, as the interface writes them: "2小时" → "2 小时". */
export const spaceFigures = (text: string): string =>
  text.replace(/(\d)(?=\p{Script=Han})|(\p{Script=Han})(?=\d)/gu, "$1$2 ");

/** A length of time in its two largest units. */
export const durationIn = (language: Language, milliseconds: number): string => {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), "day"],
    [Math.floor((seconds % 86_400) / 3600), "hour"],
    [Math.floor((seconds % 3600) / 60), "minute"],
    [seconds % 60, "second"],
  ];
  const shown = parts.filter(([amount]) => amount > 0).slice(0, 2);
  const unitDisplay = language === "zh-CN" ? "short" : "long";
  const words = shown.map(([amount, unit]) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay }).format(amount),
  );
  return spaceFigures(new Intl.ListFormat(language, { type: "unit", style: "narrow" }).format(words));
};
