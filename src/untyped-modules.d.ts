declare module "*.sh" {
  const text: string;
  export default text;
}
declare module "*.awk" {
  const text: string;
  export default text;
}

declare module "*.txt" {
  const text: string;
  export default text;
}

declare module "css-tree/tokenizer" {
  /** Calls `onToken` with the type, the start and the end of each token of a stylesheet. */
  export const tokenize: (source: string, onToken: (type: number, start: number, end: number) => void) => void;
  export const tokenTypes: Record<
    | "EOF"
    | "Ident"
    | "Function"
    | "AtKeyword"
    | "Hash"
    | "String"
    | "BadString"
    | "Url"
    | "BadUrl"
    | "Delim"
    | "Number"
    | "Percentage"
    | "Dimension"
    | "WhiteSpace"
    | "CDO"
    | "CDC"
    | "Colon"
    | "Semicolon"
    | "Comma"
    | "LeftSquareBracket"
    | "RightSquareBracket"
    | "LeftParenthesis"
    | "RightParenthesis"
    | "LeftCurlyBracket"
    | "RightCurlyBracket"
    | "Comment",
    number
  >;
}

declare module "css-tree/utils" {
  export const string: { decode: (source: string) => string; encode: (text: string, apostrophe?: boolean) => string };
}
