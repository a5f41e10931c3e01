/** A spreadsheet would calculate a text that begins like this. */
const FORMULA = /^[=+\-@\t\r]/;

const toField = (value: string | number | null): string => {
  const text = typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A row of a CSV file (RFC 4180). Null is an empty field. A text that a spreadsheet would calculate begins with an apostrophe. */
export const csvRow = (values: readonly (string | number | null)[]): string => `${values.map(toField).join(",")}\r\n`;
