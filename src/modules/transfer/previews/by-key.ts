/** Reads the objects of a product from its API with a key, which is never stored. */
import { join } from "node:path";
import type { Static } from "elysia";
import type { Deps } from "../../../core/deps";
import { AppError, validation } from "../../../core/errors";
import { AddressBlocked } from "../../../probe/address-errors";
import { errorsWithin } from "../../../server/schema";
import { DAY, SECOND } from "../../../shared/limits";
import { IMPORT_LIMITS } from "../../../shared/transfer/imports";
import { IMPORT_SOURCES } from "../../../shared/transfer/sources";
import type { Source, Upload } from "../sources/source";
import { type Fields, recordOf } from "../sources/text";
import { sentModel } from "./model";

/** How long one answer may take, in milliseconds. */
const TIMEOUT = 20_000;
/** Requests of one import: a page has 50 objects or so. */
const MAX_REQUESTS = 500;
/** Seconds that one import waits in all when a product asks for fewer requests. */
const MAX_WAIT = 120;

/** A body as text; null for a longer one. */
export const readText = async (body: ReadableStream<Uint8Array> | null, limit: number): Promise<string | null> => {
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > limit) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
};

/** Bytes of a body with a key. */
const MAX_KEY_BODY = 4096;

/** The source with its key or address in a JSON body; null for a body of another type. @throws {AppError} validation */
export const sourceIn = async (request: Request): Promise<Static<typeof sentModel> | null> => {
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) return null;
  let sent: unknown;
  try {
    sent = JSON.parse((await readText(request.body, MAX_KEY_BODY)) ?? "");
  } catch {
    throw validation([{ path: "body", message: `body: expected JSON of at most ${MAX_KEY_BODY} bytes` }]);
  }
  const errors = errorsWithin("", sentModel, sent).map(({ path, message }) => ({
    path: path.replace(/^\./, ""),
    message: message.replace(/^\./, ""),
  }));
  if (errors.length > 0) throw validation(errors);
  return sent as Static<typeof sentModel>;
};

/** Why an answer can't be read; undefined if it can. */
const refusalOf = ({ ok, status }: Response): string | undefined => {
  if (ok) return undefined;
  if (status === 401 || status === 403) return "it refuses the key";
  if (status === 429) return "it allows no more requests for now, so try again in a few minutes";
  return `it answers with the status ${status}`;
};

type Needed = Pick<Deps, "config" | "outbound" | "clock">;
type Reader = { name: Source["name"]; byKey: NonNullable<Source["byKey"]> };

/**
 * A function that reads answers of a product by their paths. It connects only to the product's own address, which an operator
 * may replace, and waits as long as the product asks for, within bounds.
 */
const createGet = ({ config, outbound, clock }: Needed, { name, byKey }: Reader, key: string) => {
  const refused = (reason: string) => new AppError("import_refused", { source: IMPORT_SOURCES[name], reason });
  const origin = config.providerOrigins.get(byKey.origin) ?? byKey.origin;
  let [requests, size, waited] = [0, 0, 0];

  const request = async (path: string): Promise<Response> => {
    if (++requests > MAX_REQUESTS) throw refused("it has more objects than an import reads");
    const response = await outbound
      .request({
        url: new URL(origin + path),
        method: "GET",
        body: "",
        headers: new Headers({ accept: "application/json", ...byKey.headers(key) }),
        signal: AbortSignal.timeout(TIMEOUT),
        caller: { key: "imports", lookups: 16, allowPrivate: true },
      })
      .catch((error: unknown) => {
        if (error instanceof AddressBlocked) throw refused("its address may not be reached");
        throw refused("it can't be reached");
      });
    const wait = response.status === 429 ? Number(response.headers.get("retry-after")) : 0;
    if (!(wait > 0) || waited + wait > MAX_WAIT) return response;
    await response.body?.cancel();
    waited += wait;
    await clock.sleep(wait * SECOND);
    return request(path);
  };

  return async (path: string): Promise<Fields> => {
    const url = URL.parse(path, byKey.origin);
    if (url?.origin !== byKey.origin) throw refused("it refers to another address");
    const response = await request(url.pathname + url.search);
    const refusal = refusalOf(response);
    if (refusal) {
      await response.body?.cancel();
      throw refused(refusal);
    }
    const text = await readText(response.body, IMPORT_LIMITS.text - size).catch(() => {
      throw refused("its answer ends too early");
    });
    if (text === null) throw refused("it has more objects than an import reads");
    size += text.length;
    try {
      return recordOf(JSON.parse(text));
    } catch {
      throw refused("its answer is no JSON");
    }
  };
};

/**
 * Stores what a product answers as a file.
 * @throws {AppError} import_refused, with the reason
 */
export const fetchByKey = async (
  deps: Needed,
  source: Reader,
  { key, folder }: { key: string; folder: string },
): Promise<Upload> => {
  const file = join(folder, "upload");
  const now = deps.clock.now();
  const span = { from: now - deps.config.retention.hourDays * DAY, to: now };
  const content = await source.byKey.read(createGet(deps, source, key), span);
  const written = await Bun.write(file, JSON.stringify(content), { mode: 0o600 });
  return { file, size: written, hasWal: false };
};
