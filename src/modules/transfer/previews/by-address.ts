/** Reads the public JSON of a foreign status page at an address. */
import { join } from "node:path";
import { mayReachPrivate } from "../../../core/config";
import type { Deps } from "../../../core/deps";
import { AppError, validation } from "../../../core/errors";
import { AddressBlocked } from "../../../probe/address-errors";
import { IMPORT_LIMITS } from "../../../shared/transfer/imports";
import { IMPORT_SOURCES } from "../../../shared/transfer/sources";
import type { Owner } from "../part";
import type { Upload } from "../sources/source";
import { type Fields, recordOf } from "../sources/text";
import { readText } from "./by-key";

/** How long all answers together may take, in milliseconds, and redirects of each. */
const [TIMEOUT, MAX_REDIRECTS] = [30_000, 3];

const refused = (reason: string) => new AppError("import_refused", { source: IMPORT_SOURCES.statuspage, reason });

/** The address that the documents of a page are below. @throws {AppError} validation */
const baseOf = (sent: string): URL => {
  const text = sent.trim();
  const url = URL.parse(/^[a-z][a-z\d+.-]*:/i.test(text) && !/^[^/]*:\d+(\/|$)/.test(text) ? text : `https://${text}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "" || url.username !== "" || url.password !== "")
    throw validation([{ path: "url", message: "url: expected the http or https address of a status page" }]);
  url.search = url.hash = "";
  url.pathname = url.pathname.replace(/\/api(\/v2(\/.*)?)?$|\/+$/, "");
  return url;
};

type Needed = Pick<Deps, "config" | "outbound">;

/** A function that reads documents of a page. The owner may reach the same addresses as with checks, also after redirects. */
const createRead = ({ config, outbound }: Needed, owner: Owner) => {
  const signal = AbortSignal.timeout(TIMEOUT);
  const caller = { key: `imports ${owner.id}`, lookups: 16, allowPrivate: mayReachPrivate(config, owner.role) };
  let size = 0;

  const request = async (url: URL, redirects: number): Promise<Response> => {
    const headers = new Headers({ accept: "application/json" });
    const response = await outbound
      .request({ url, method: "GET", body: "", headers, signal, caller })
      .catch((error: unknown) => {
        throw refused(error instanceof AddressBlocked ? "its address may not be reached" : "it can't be reached");
      });
    const location = [301, 302, 303, 307, 308].includes(response.status) ? response.headers.get("location") : null;
    if (location === null) return response;
    await response.body?.cancel();
    const next = URL.parse(location, url);
    if (!next || !/^https?:$/.test(next.protocol) || redirects === 0) throw refused("it redirects too often");
    return request(next, redirects - 1);
  };

  /** A document; null for the status 404. */
  return async (url: URL): Promise<Fields | null> => {
    const response = await request(url, MAX_REDIRECTS);
    if (!response.ok) {
      await response.body?.cancel();
      if (response.status === 404) return null;
      throw refused(`it answers with the status ${response.status}`);
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
 * Stores what a status page answers as a file.
 * @throws {AppError} validation; import_refused, with the reason
 */
export const fetchByAddress = async (
  deps: Needed,
  owner: Owner,
  { url, folder }: { url: string; folder: string },
): Promise<Upload> => {
  const base = baseOf(url);
  const read = createRead(deps, owner);
  const document = (name: string) => read(new URL(`${base.pathname.replace(/\/$/, "")}/api/v2/${name}.json`, base));
  const summary = await document("summary");
  if (!summary) throw refused("there is no /api/v2/summary.json below it");
  const content = {
    summary,
    incidents: (await document("incidents")) ?? {},
    scheduled_maintenances: (await document("scheduled-maintenances")) ?? {},
  };
  const file = join(folder, "upload");
  const written = await Bun.write(file, JSON.stringify(content), { mode: 0o600 });
  return { file, size: written, hasWal: false };
};
