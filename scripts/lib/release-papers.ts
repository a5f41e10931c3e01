/** Files of a release that are text: the bill of materials, the install script of the hub, and those for containers. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { bundleInstaller } from "./bundle-script";
import { imageOf, withImage } from "./release-notes";
import { describeMaterials, type Lock } from "./sbom";

const REPOSITORY = resolve(import.meta.dir, "../..");
const read = (path: string) => Bun.file(`${REPOSITORY}/${path}`).text();

export const DEPLOY_FILES = ["compose.yaml", "compose.postgres.yaml", "compose.instances.yaml", "kubernetes.yaml"];

/** The license in the package.json of each package that is installed. */
const readLicenses = async (places: string[]): Promise<Map<string, string | undefined>> => {
  const licenses = new Map<string, string | undefined>();
  for (const place of places) {
    // `a/b` in the lock file is node_modules/a/node_modules/b.
    const path = place.match(/(@[^/]+\/)?[^/]+/g)?.join("/node_modules/");
    const file = `${REPOSITORY}/node_modules/${path}/package.json`;
    if (existsSync(file)) licenses.set(place, (await Bun.file(file).json()).license);
  }
  return licenses;
};

type Release = { version: string; repository: string; publicKey: string; now: string };

const writeMaterials = async (folder: string, { version, repository, now }: Release) => {
  const lock = Bun.JSONC.parse(await read("bun.lock")) as Lock;
  const licenses = await readLicenses(Object.keys(lock.packages));
  const bunVersion = (await read(".bun-version")).trim();
  const materials = describeMaterials(lock, { version, bunVersion, timestamp: now, repository }, (place) =>
    licenses.get(place),
  );
  await Bun.write(`${folder}/wakeful-sbom.cdx.json`, `${JSON.stringify(materials, null, 2)}\n`);
};

export const writePapers = async (folder: string, release: Release): Promise<void> => {
  const { version, repository, publicKey } = release;
  await writeMaterials(folder, release);
  const releases = repository && `${repository}/releases/download/v${version}`;
  await Bun.write(`${folder}/install.sh`, bundleInstaller(releases, publicKey));
  const image = imageOf(repository);
  if (!image) return;
  for (const name of DEPLOY_FILES)
    await Bun.write(`${folder}/${name}`, withImage(await read(`docs/deploy/${name}`), `${image}:${version}`));
};
