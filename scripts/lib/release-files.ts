/** Files of a release besides the executables: compressed forms, and the signed manifest. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { $ } from "bun";
import { MANIFEST, type Manifest } from "../../src/shared/agents/downloads";

/** The public half of a key as `--release-key` takes it: 32 bytes in base64. */
export const publicKeyOf = (key: KeyObject): string =>
  Buffer.from(createPublicKey(key).export({ format: "jwk" }).x as string, "base64url").toString("base64");

/** Writes a new private key that only its user can read, and returns its public half. An existing file is kept. */
export const createKey = (path: string): string => {
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(path, privateKey.export({ format: "pem", type: "pkcs8" }), { mode: 0o600, flag: "wx" });
  return publicKeyOf(privateKey);
};

/** Reads a private key, which must be one for Ed25519. */
export const readKey = (path: string): KeyObject => {
  const key = createPrivateKey(readFileSync(path));
  if (key.asymmetricKeyType !== "ed25519") throw new Error(`${path} holds no Ed25519 key`);
  return key;
};

/** The checksum and the size of a file. */
export const describeFile = async (path: string): Promise<{ sha256: string; size: number }> => {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk);
  return { sha256: hasher.digest("hex"), size: Bun.file(path).size };
};

// The filter for x86 saves 3 %. BusyBox can't undo it, and systems with musl often have nothing else.
const filterOf = (name: string) => (/-amd64(\.exe)?$/.test(name) ? ["--x86"] : []);

const compress = async (path: string) => {
  await $`xz --keep --force --threads=1 ${filterOf(basename(path))} --lzma2=preset=6 ${path}`;
  await Bun.write(`${path}.zst`, await Bun.zstdCompress(await Bun.file(path).bytes(), { level: 19 }));
  await $`gzip --keep --force -9 --no-name ${path}`;
};

/** Compresses each file in every form, several at a time. */
export const compressAll = async (folder: string, names: readonly string[], parallel: number): Promise<void> => {
  const waiting = [...names];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await compress(`${folder}/${name}`);
  };
  await Promise.all(Array.from({ length: parallel }, work));
};

/** Writes the manifest of a release and its signature. */
export const writeManifest = async (folder: string, manifest: Manifest, key: KeyObject): Promise<void> => {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await Bun.write(`${folder}/${MANIFEST}`, text);
  await Bun.write(`${folder}/${MANIFEST}.sig`, `${sign(null, Buffer.from(text), key).toString("base64")}\n`);
};

/** Writes the checksums of all files of a release into one, as sha256sum reads it. */
export const writeChecksums = async (folder: string): Promise<void> => {
  const names = readdirSync(folder).filter((name) => name !== "SHA256SUMS" && !name.endsWith(".sha256"));
  const lines: string[] = [];
  for (const name of names.toSorted()) lines.push(`${(await describeFile(`${folder}/${name}`)).sha256}  ${name}\n`);
  await Bun.write(`${folder}/SHA256SUMS`, lines.join(""));
};
