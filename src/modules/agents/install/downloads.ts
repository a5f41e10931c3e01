import { statSync } from "node:fs";
import { join } from "node:path";
import { Elysia } from "elysia";
import { compiled } from "../../../build-info";
import type { Deps } from "../../../core/deps";
import { AppError, notFound } from "../../../core/errors";
import installScript from "./install.sh" with { type: "text" };

const NAMES = [
  "linux-amd64",
  "linux-arm64",
  "darwin-amd64",
  "darwin-arm64",
  "windows-amd64.exe",
  "windows-arm64.exe",
].map((platform) => `wakeful-${platform}`);

const architecture = process.arch === "x64" ? "amd64" : process.arch;
const ending = process.platform === "win32" ? ".exe" : "";
const ownName = `wakeful-${process.platform === "win32" ? "windows" : process.platform}-${architecture}${ending}`;

/** The file that goes under this name: the operator's, or else this very executable where it is the one asked for. */
const findFile = (name: string, directory: string): string | null => {
  const offered = directory && join(directory, name);
  if (offered && statSync(offered, { throwIfNoEntry: false })?.isFile()) return offered;
  return compiled && name === ownName ? process.execPath : null;
};

/** The names of the executables that can be had under /downloads, from here or from where RELEASE_URL says. */
export const offeredDownloads = ({ downloadsDir, releaseUrl }: Deps["config"]): string[] =>
  releaseUrl ? NAMES : NAMES.filter((name) => findFile(name, downloadsDir) !== null);

type Sum = { mark: string; hex: Promise<string> };
const sums = new Map<string, Sum>();

/** Kept for as long as the file stays the same: a newer release may be put in its place at any time. */
const sha256 = (file: string): Promise<string> => {
  const { mtimeMs, size, ino } = statSync(file);
  const mark = `${mtimeMs} ${size} ${ino}`;
  const known = sums.get(file);
  if (known?.mark === mark) return known.hex;
  const hex = hash(file);
  sums.set(file, { mark, hex });
  hex.catch(() => sums.delete(file));
  return hex;
};

const hash = async (file: string): Promise<string> => {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(file).stream()) hasher.update(chunk);
  return hasher.digest("hex");
};

let warned = false;

/** Behind a proxy that does not say so, https is assumed: http would send root's download over the network unencrypted. */
const forwardedProtocol = (request: Request, log: Deps["log"]): "http" | "https" => {
  const protocol = request.headers.get("x-forwarded-proto");
  if (protocol !== null) return protocol.split(",")[0]?.trim() === "https" ? "https" : "http";
  if (!warned) {
    warned = true;
    log.warn(
      "the proxy sends no X-Forwarded-Proto; install.sh names an https:// address. Set the header or PUBLIC_URL",
    );
  }
  return "https";
};

/** Where people reach this console: what the operator says, or else how this request came here. */
const addressOf = ({ config, log }: Deps, request: Request): string => {
  if (config.publicUrl) return config.publicUrl;
  const forwarded = config.trustProxy ? forwardedProtocol(request, log) : "http";
  const host = request.headers.get("host") ?? "";
  // It goes into a script that runs as root: nothing but a host's name gets through.
  const safe = /^[\w.-]+(:\d+)?$|^\[[\da-fA-F:.]+\](:\d+)?$/.test(host) ? host : `localhost:${config.port}`;
  return `${forwarded}://${safe}${config.basePath.slice(0, -1)}`;
};

/** The host agent's executables with their checksums, and the script that installs it. */
export const downloadRoutes = (deps: Deps) => {
  const { downloadsDir, releaseUrl } = deps.config;
  const missing = (name: string) => new AppError("no_download", { name });
  return new Elysia()
    .get("/install.sh", ({ request, set }) => {
      set.headers["content-type"] = "text/x-shellscript; charset=utf-8";
      return installScript.replace("@SERVER@", () => addressOf(deps, request));
    })
    .get("/downloads/:name", async ({ params, set, redirect }) => {
      // What cannot be decoded is no name.
      const name = params.name ?? "";
      const wanted = name.replace(/\.sha256$/, "");
      if (!NAMES.includes(wanted)) throw notFound("This address");
      const file = findFile(wanted, downloadsDir);
      if (!file) {
        if (releaseUrl) return redirect(`${releaseUrl}/${name}`);
        throw missing(wanted);
      }
      if (name !== wanted) {
        set.headers["content-type"] = "text/plain; charset=utf-8";
        return `${await sha256(file)}  ${wanted}\n`;
      }
      set.headers["content-disposition"] = `attachment; filename="${wanted}"`;
      return Bun.file(file);
    });
};
