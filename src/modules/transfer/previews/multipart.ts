/** Reads forms with files of any size: `Request.formData` would hold them in memory. */
import { validation } from "../../../core/errors";

/** Takes the content of a part. */
export type Sink = { write: (bytes: Uint8Array) => Promise<void>; end: () => Promise<void> };
type Part = { name: string; filename: string | null };

/** Bytes of the headers of a part, and the number of parts. */
const MAX_HEADERS = 8192;
const MAX_PARTS = 10;

const refuse = (message: string) => validation([{ path: "body", message: `body: ${message}` }]);

const parameterOf = (header: string, name: string): string | null => {
  const [, quoted, plain] = new RegExp(`[;\\s]${name}="([^"]*)"|[;\\s]${name}=([^;\\s]+)`, "i").exec(header) ?? [];
  return quoted ?? plain ?? null;
};

const partOf = (headers: string): Part => {
  const disposition = headers.split("\r\n").find((line) => /^content-disposition:/i.test(line)) ?? "";
  return { name: parameterOf(disposition, "name") ?? "", filename: parameterOf(disposition, "filename") };
};

/** The boundary of a multipart form; null for another type. */
export const boundaryOf = (contentType: string | null): string | null =>
  /^multipart\/form-data\b/i.test(contentType ?? "") ? parameterOf(contentType ?? "", "boundary") : null;

/**
 * Passes the content of each part of a form to the sink that `open` returns for it, as it arrives.
 * @see https://www.rfc-editor.org/rfc/rfc7578
 * @throws {AppError} validation, when the form is not complete
 */
export const readParts = async (
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  open: (part: Part) => Promise<Sink>,
): Promise<void> => {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter need not follow a line.
  let rest = Buffer.from("\r\n");
  let place = "content" as "content" | "delimiter" | "headers" | "end";
  let sink = null as Sink | null;
  let parts = 0;
  /** Uses what has arrived. Returns whether more may be used at once. */
  const step = async (): Promise<boolean> => {
    if (place === "content") {
      const at = rest.indexOf(delimiter);
      // The end may be the start of a delimiter.
      const length = at >= 0 ? at : Math.max(0, rest.length - delimiter.length);
      if (length > 0) await sink?.write(rest.subarray(0, length));
      rest = rest.subarray(at >= 0 ? at + delimiter.length : length);
      if (at < 0) return false;
      await sink?.end();
      sink = null;
      place = "delimiter";
      return true;
    }
    if (place === "delimiter") {
      if (rest.length < 2) return false;
      place = rest.toString("latin1", 0, 2) === "--" ? "end" : "headers";
      if (place === "headers" && ++parts > MAX_PARTS) throw refuse(`expected at most ${MAX_PARTS} parts`);
      return place === "headers";
    }
    if (place === "end") {
      rest = Buffer.alloc(0);
      return false;
    }
    // The line of the delimiter ends before the headers.
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0 && rest.length <= MAX_HEADERS) return false;
    if (end < 0 || end > MAX_HEADERS) throw refuse("expected shorter headers of a part");
    sink = await open(partOf(rest.toString("utf8", 0, end)));
    rest = rest.subarray(end + 4);
    place = "content";
    return true;
  };
  try {
    for await (const chunk of body) {
      rest = Buffer.concat([rest, chunk]);
      while (await step());
    }
  } finally {
    await sink?.end();
  }
  if (place !== "end") throw refuse("expected a complete multipart form");
};
