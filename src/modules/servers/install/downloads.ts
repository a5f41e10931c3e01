import { statSync } from "node:fs";
import { join } from "node:path";
import { staticPlugin } from "@elysiajs/static";
import { Elysia, t } from "elysia";
import { compiled, isMusl } from "../../../build-info";
import type { Deps } from "../../../core/deps";
import { AppError, notFound } from "../../../core/errors";
import { describe } from "../../../server/answers";
import { textParam } from "../../../server/schema";
import { COMPRESSIONS, type Compression, EXECUTABLES, executableName } from "../../../shared/agents/downloads";
import { createCompressedFiles } from "./compressed";
import { lightAgentRoutes } from "./light/light-agent";
import { installScript } from "./script/install-script";

const NAMES = Object.keys(EXECUTABLES);
const ownName = executableName(process.platform, process.arch, isMusl);

/** The file served under a name: from DOWNLOADS_DIR, or else this executable for its own platform. */
const findFile = (name: string, directory: string): string | null => {
  const offered = directory && join(directory, name);
  if (offered && statSync(offered, { throwIfNoEntry: false })?.isFile()) return offered;
  return compiled && name === ownName ? process.execPath : null;
};

/** The names of the executables under /downloads, from this hub or from RELEASE_URL. */
export const offeredDownloads = ({ downloadsDir, releaseUrl }: Deps["config"]): string[] =>
  releaseUrl ? NAMES : NAMES.filter((name) => findFile(name, downloadsDir) !== null);

type Checksum = { version: string; hex: Promise<string> };
/** By path: the names of the executables at most. */
const checksums = new Map<string, Checksum>();

const hash = async (file: string): Promise<string> => {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(file).stream()) hasher.update(chunk);
  return hasher.digest("hex");
};

/** The checksum of a file, computed again when the file is replaced by a newer release. */
const sha256 = (file: string): Promise<string> => {
  const { mtimeMs, size, ino } = statSync(file);
  const version = `${mtimeMs} ${size} ${ino}`;
  const cached = checksums.get(file);
  if (cached?.version === version) return cached.hex;
  const hex = hash(file);
  checksums.set(file, { version, hex });
  hex.catch(() => checksums.delete(file));
  return hex;
};

/** What may follow the name of a program in an address. */
const ENDING = new RegExp(`\\.(sha256|${COMPRESSIONS.join("|")})$`);

let warned = false;

/** Without X-Forwarded-Proto https is assumed: http would send a download run by root unencrypted. */
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

/** The address of this hub: PUBLIC_URL, or else the address of this request. */
const addressOf = ({ config, log }: Deps, request: Request): string => {
  if (config.publicUrl) return config.publicUrl;
  const forwarded = config.trustProxy ? forwardedProtocol(request, log) : "http";
  const host = request.headers.get("host") ?? "";
  // It becomes part of a script that runs as root: only a host name is accepted.
  const safe = /^[\w.-]+(:\d+)?$|^\[[\da-fA-F:.]+\](:\d+)?$/.test(host) ? host : `localhost:${config.port}`;
  return `${forwarded}://${safe}${config.basePath.slice(0, -1)}`;
};

/** Serves the files of DOWNLOADS_DIR. Requests reach it with one of `NAMES` only. */
const serveDirectory = (directory: string) => {
  const files = new Elysia({ handler: { standardHostname: false } }).use(
    // Not `alwaysStatic`, so that a release that is put there while the hub runs is served. The plugin would read a whole
    // executable into memory for its ETag.
    staticPlugin({ assets: directory, prefix: "", alwaysStatic: false, indexHTML: false, etag: false }),
  );
  return async (name: string): Promise<Response> => {
    await files.modules;
    return files.fetch(new Request(`http://localhost/${name}`));
  };
};

const downloadParams = t.Object({
  name: textParam(
    "wakeful-{linux,darwin}-{amd64,arm64}, wakeful-linux-{amd64,arm64}-musl or wakeful-windows-{amd64,arm64}.exe; with `.sha256` its checksum, with `.xz`, `.zst` or `.gz` the program compressed, where the hub has that.",
    "wakeful-linux-amd64.sha256",
  ),
});
const scriptDescription = describe({
  id: "getInstallScript",
  summary: "Get the agent's install script",
  description: "It downloads the agent program, enrolls the machine and starts the agent as a service.",
  access: "public",
  answer: {
    type: "text/x-shellscript",
    example: "#!/bin/sh …",
    description: "A POSIX shell script that contains the address of this hub.",
  },
});
const downloadDescription = describe({
  id: "download",
  summary: "Download the agent program",
  description: "The install script and the update of agents use it.",
  access: "public",
  answer: [
    {
      type: ["text/plain", "application/octet-stream"],
      example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  wakeful-linux-amd64\n",
      description: "The program, as it is or compressed, or its SHA-256 checksum as text.",
    },
    { status: 302, description: "The file is at RELEASE_URL." },
  ],
  refusals: ["not_found", "no_download"],
});

/** The agent's programs with their checksums, and the script that installs it. */
export const downloadRoutes = (deps: Deps) => {
  const { downloadsDir, releaseUrl } = deps.config;
  const directory = statSync(downloadsDir, { throwIfNoEntry: false })?.isDirectory()
    ? serveDirectory(downloadsDir)
    : null;
  const missing = (name: string) => new AppError("no_download", { name });
  const compressed = createCompressedFiles(join(deps.config.dataDir, "downloads"), deps);
  /** The path of a compressed program: the one beside it in DOWNLOADS_DIR, or one made of this executable. */
  const findCompressed = async (file: string, form: Compression): Promise<string | null> => {
    if (file !== process.execPath)
      return statSync(`${file}.${form}`, { throwIfNoEntry: false })?.isFile() ? `${file}.${form}` : null;
    return compressed(file, form);
  };
  return new Elysia({ tags: ["System"] })
    .use(lightAgentRoutes())
    .get(
      "/install.sh",
      ({ request, set }) => {
        set.headers["content-type"] = "text/x-shellscript; charset=utf-8";
        return installScript(addressOf(deps, request));
      },
      { detail: scriptDescription },
    )
    .get(
      "/downloads/:name",
      async ({ params, set, redirect }) => {
        // Undefined where the path cannot be decoded.
        const name = params.name ?? "";
        const program = name.replace(ENDING, "");
        if (!NAMES.includes(program)) throw notFound("This address");
        const file = findFile(program, downloadsDir);
        if (!file) {
          if (releaseUrl) return redirect(`${releaseUrl}/${name}`);
          throw missing(program);
        }
        if (name.endsWith(".sha256")) {
          set.headers["content-type"] = "text/plain; charset=utf-8";
          return `${await sha256(file)}  ${program}\n`;
        }
        const form = COMPRESSIONS.find((ending) => name.endsWith(`.${ending}`));
        const served = form ? await findCompressed(file, form) : file;
        if (!served) throw missing(name);
        set.headers["content-disposition"] = `attachment; filename="${name}"`;
        return served === join(downloadsDir, name) && directory ? directory(name) : Bun.file(served);
      },
      { params: downloadParams, detail: downloadDescription },
    );
};
