/** A release as its maker signed it: the manifest with every file's checksum, and the files themselves. */
import { createHash, createPublicKey, verify } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createZstdDecompress } from "node:zlib";
import { readBounded } from "../agent/runtime";
import { MANIFEST, type Manifest } from "../shared/agents/downloads";

/** An update that was not made; nothing has changed. */
export class UpdateError extends Error {}

const MAX_TEXT_BYTES = 65_536;
const MAX_PROGRAM_BYTES = 512 * 2 ** 20;
const TEXT_TIMEOUT_MS = 30_000;
const DOWNLOAD_TIMEOUT_MS = 30 * 60_000;

type Program = Manifest["files"][string];

/** Reads an address of the web, or a file by an address that begins with `file:`. */
const request = async (url: string, timeout: number): Promise<Response> => {
  if (url.startsWith("file:")) {
    const file = Bun.file(fileURLToPath(url));
    return (await file.exists()) ? new Response(file.stream()) : new Response(null, { status: 404 });
  }
  try {
    return await fetch(url, { signal: AbortSignal.timeout(timeout), headers: { "accept-encoding": "identity" } });
  } catch (error) {
    throw new UpdateError(`${url} cannot be fetched: ${error instanceof Error ? error.message : error}`);
  }
};

const missing = (url: string, { status }: Response): UpdateError =>
  new UpdateError(url.startsWith("file:") ? `there is no file ${fileURLToPath(url)}` : `${url} answers ${status}`);

const readText = async (url: string): Promise<string> => {
  const response = await request(url, TEXT_TIMEOUT_MS);
  if (!response.ok) throw missing(url, response);
  const text = await readBounded(response.body ?? [], MAX_TEXT_BYTES).catch(() => null);
  if (text === null) throw new UpdateError(`${url} is cut short, or longer than a release's description`);
  return text;
};

const isProgram = (value: unknown): value is Program => {
  const { sha256, size } = (value ?? {}) as Partial<Program>;
  const isSize = Number.isSafeInteger(size) && (size as number) > 0 && (size as number) <= MAX_PROGRAM_BYTES;
  return isSize && /^[0-9a-f]{64}$/.test(String(sha256));
};

const parse = (text: string): Manifest => {
  const { version, date, files } = JSON.parse(text) as Partial<Manifest>;
  if (!/^\d{1,5}(\.\d{1,5}){2}$/.test(String(version)) || !/^\d{4}-\d\d-\d\d$/.test(String(date)))
    throw new UpdateError("the release names no version and date");
  if (!files || !Object.values(files).every(isProgram)) throw new UpdateError("the release describes no files");
  return { version: version as string, date: date as string, files };
};

/**
 * Reads the description of the release at `place`, once its signature was verified with the public key.
 * @throws {UpdateError} when it is missing, unsigned or signed by another key
 */
export const readRelease = async (place: string, publicKey: string): Promise<Manifest> => {
  const [text, signature] = await Promise.all([readText(`${place}/${MANIFEST}`), readText(`${place}/${MANIFEST}.sig`)]);
  const x = Buffer.from(publicKey, "base64").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  if (!verify(null, Buffer.from(text), key, Buffer.from(signature.trim(), "base64")))
    throw new UpdateError("the signature of the release is wrong: it was not made by the makers of this program");
  return parse(text);
};

/**
 * Writes the program `name` of a release to a new file. It is compressed on its way, where the release has that.
 * @throws {UpdateError} when it is not the file that the release describes
 */
export const downloadProgram = async (place: string, name: string, program: Program, path: string): Promise<void> => {
  const compressed = await request(`${place}/${name}.zst`, DOWNLOAD_TIMEOUT_MS);
  if (!compressed.ok) await compressed.body?.cancel();
  const response = compressed.ok ? compressed : await request(`${place}/${name}`, DOWNLOAD_TIMEOUT_MS);
  if (!response.ok || !response.body) throw missing(`${place}/${name}`, response);
  const hash = createHash("sha256");
  let size = 0;
  const measure = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > program.size) throw new UpdateError("the download is longer than the release says");
      hash.update(chunk);
      yield chunk;
    }
  };
  const unpack = compressed.ok ? [createZstdDecompress()] : [];
  const file = createWriteStream(path, { flags: "w", mode: 0o700 });
  try {
    // A file that is opened later would be made after a failed download has removed it.
    await once(file, "open");
    await pipeline([Readable.from(response.body), ...unpack, measure, file]);
  } catch (error) {
    if (error instanceof UpdateError) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") throw new UpdateError("the disk is full");
    throw new UpdateError(`the download failed: ${error instanceof Error ? error.message : error}`);
  }
  if (size !== program.size || hash.digest("hex") !== program.sha256)
    throw new UpdateError("the download is damaged or was cut short");
};
