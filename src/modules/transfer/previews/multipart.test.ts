import { expect, it } from "bun:test";
import { boundaryOf, readParts } from "./multipart";

/** The parts of a form that arrives in pieces of `size` bytes, by their names. */
const read = async (form: FormData, size: number, cut = Number.POSITIVE_INFINITY) => {
  const response = new Response(form);
  const boundary = boundaryOf(response.headers.get("content-type")) ?? "";
  const bytes = new Uint8Array(await response.arrayBuffer()).subarray(0, cut);
  const found: Record<string, { filename: string | null; text: string }> = {};
  const pieces = async function* () {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  };
  await readParts(pieces(), boundary, async ({ name, filename }) => {
    const own = { filename, text: "" };
    found[name] = own;
    const write = async (bytes: Uint8Array) => {
      own.text += Buffer.from(bytes).toString("latin1");
    };
    return { write, end: async () => {} };
  });
  return found;
};

const form = () => {
  const made = new FormData();
  made.set("source", "kuma");
  made.set("file", new Blob(["one\r\n--two\r\n\r\n-- three\r\n"]), "kuma.db");
  made.set("empty", new Blob([]), "nothing");
  return made;
};

it("the parts of a form are the same in pieces of any size", async () => {
  const expected = {
    source: { filename: null, text: "kuma" },
    file: { filename: "kuma.db", text: "one\r\n--two\r\n\r\n-- three\r\n" },
    empty: { filename: "nothing", text: "" },
  };
  for (const size of [1, 2, 3, 7, 50, 10_000]) expect(await read(form(), size)).toEqual(expected);
});

it("a form that ends early is refused", async () => {
  expect(read(form(), 100, 300)).rejects.toThrow("complete multipart form");
});

it("a form with many parts or long headers is refused", async () => {
  const many = new FormData();
  for (let index = 0; index < 11; index++) many.set(`field${index}`, "x");
  expect(read(many, 100)).rejects.toThrow("at most 10 parts");
  const long = new FormData();
  long.set("n".repeat(9000), "x");
  expect(read(long, 100)).rejects.toThrow("shorter headers");
});
