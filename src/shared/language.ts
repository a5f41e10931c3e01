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
    const match = LANGUAGES.find((language) => primaryOf(language) === primaryOf(tag));
    if (match) return match;
  }
  return undefined;
};

/** Separates figures from the Chinese characters beside them by a space, as the interface writes them: "2小时" → "2 小时". */
export const spaceFigures = (text: string): string =>
  text.replace(/(\d)(?=\p{Script=Han})|(\p{Script=Han})(?=\d)/gu, "$1$2 ");

const FORMATS_KEPT = 100;

/** Keeps the objects that `make` creates, which takes a hundred times as long as formatting with one. */
const keepFormats = <Options, Format>(make: (locale: string, options: Options) => Format) => {
  const formats = new Map<string, Format>();
  return (locale: string, options: Options): Format => {
    const key = `${locale} ${JSON.stringify(options)}`;
    const cached = formats.get(key);
    if (cached) return cached;
    // The names of time zones come from users.
    if (formats.size >= FORMATS_KEPT) formats.clear();
    const format = make(locale, options);
    formats.set(key, format);
    return format;
  };
};

/**
 * Times have 24 hours in every language.
 * @throws RangeError for an unknown time zone
 */
export const dateTimeFormat = keepFormats(
  (locale, options: Omit<Intl.DateTimeFormatOptions, "hourCycle" | "hour12">) =>
    new Intl.DateTimeFormat(locale, { ...options, hourCycle: "h23" }),
);
export const numberFormat = keepFormats(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);
export const listFormat = keepFormats(
  (locale, options: Intl.ListFormatOptions) => new Intl.ListFormat(locale, options),
);

/** A length of time in its two largest units. */
export const durationIn = (language: Language, milliseconds: number): string => {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), "day"],
    [Math.floor((seconds % 86_400) / 3600), "hour"],
    [Math.floor((seconds % 3600) / 60), "minute"],
    [seconds % 60, "second"],
  ];
  const largest = parts.filter(([amount]) => amount > 0).slice(0, 2);
  const unitDisplay = language === "zh-CN" ? "short" : "long";
  const words = largest.map(([amount, unit]) =>
    numberFormat(language, { style: "unit", unit, unitDisplay }).format(amount),
  );
  return spaceFigures(listFormat(language, { type: "unit", style: "narrow" }).format(words));
};
