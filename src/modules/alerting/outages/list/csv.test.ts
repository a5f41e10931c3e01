import { expect, test } from "bun:test";
import { csvRow } from "./csv";

test("a row has its values with commas between them, and quotes around those that need them", () => {
  expect(csvRow(["a", 1.5, null, 'say "no"', "x,y", "two\nlines", ""])).toBe(
    'a,1.5,,"say ""no""","x,y","two\nlines",\r\n',
  );
});

test("a text that a spreadsheet would calculate begins with an apostrophe, and a negative number does not", () => {
  expect(csvRow(["=1+1", "+1", "-1", "@A1", "\t=1", "a=1", -1])).toBe("'=1+1,'+1,'-1,'@A1,'\t=1,a=1,-1\r\n");
});
