/** A built-in title without the sign at its beginning, which repeats the kind of event. */
export const withoutSign = (title: string): string => title.replace(/^\p{Extended_Pictographic}\uFE0F?\s*/u, "");
