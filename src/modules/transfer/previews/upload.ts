import { open } from "node:fs/promises";
import { join } from "node:path";
import { AppError, validation } from "../../../core/errors";
import type { Upload } from "../sources/source";
import { boundaryOf, readParts, type Sink } from "./multipart";
import { assertRoom } from "./store";

/** Bytes between two checks of the free space. */
const LOOK_EVERY = 256 * 1024 * 1024;

const missing = (path: string, message: string) => validation([{ path, message: `${path}: ${message}` }]);

const tooLarge = (limit: number) => new AppError("too_large", { limit: `${Math.floor(limit / 1024 ** 2)} MiB` });

const DISCARD: Sink = { write: async () => {}, end: async () => {} };

/** The name of the stored file of a part; null for needless ones, such as the index of a write-ahead log. */
const fileOf = (name: string, filename: string): "upload" | "upload-wal" | null => {
  if (/-shm$/i.test(filename)) return null;
  return name === "wal" || /-wal$/i.test(filename) ? "upload-wal" : "upload";
};

/**
 * Stores the file of a form, and the write-ahead log beside it, in a folder.
 * @throws {AppError} validation, too_large, unavailable
 */
export const receiveUpload = async (request: Request, folder: string, limit: number): Promise<Upload> => {
  const boundary = boundaryOf(request.headers.get("content-type"));
  if (boundary === null || !request.body)
    throw missing("file", "expected a file in a form of the type multipart/form-data");
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > limit) throw tooLarge(limit);
  await assertRoom(folder, announced);
  const sizes = new Map<string, number>();
  let received = 0;
  const store = async (name: string): Promise<Sink> => {
    if (sizes.has(name)) throw missing("file", "expected one file, and at most its write-ahead log beside it");
    sizes.set(name, 0);
    const handle = await open(join(folder, name), "wx", 0o600);
    return {
      write: async (bytes) => {
        const before = received;
        received += bytes.length;
        if (received > limit) throw tooLarge(limit);
        if (Math.floor(received / LOOK_EVERY) > Math.floor(before / LOOK_EVERY)) await assertRoom(folder, 0);
        for (let written = 0; written < bytes.length; )
          written += (await handle.write(bytes, written, bytes.length - written)).bytesWritten;
        sizes.set(name, (sizes.get(name) ?? 0) + bytes.length);
      },
      end: () => handle.close(),
    };
  };
  await readParts(request.body as unknown as AsyncIterable<Uint8Array>, boundary, async ({ name, filename }) => {
    const file = filename === null ? null : fileOf(name, filename);
    return file === null ? DISCARD : store(file);
  });
  const size = sizes.get("upload");
  if (size === undefined) throw missing("file", "is missing");
  if (size === 0) throw missing("file", "is empty");
  return { file: join(folder, "upload"), size, hasWal: (sizes.get("upload-wal") ?? 0) > 0 };
};
