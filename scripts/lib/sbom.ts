/** The software bill of materials of the executables in CycloneDX's JSON, from bun.lock. */

type Ranges = Record<string, string>;
type Dependencies = {
  dependencies?: Ranges;
  devDependencies?: Ranges;
  optionalDependencies?: Ranges;
  peerDependencies?: Ranges;
  optionalPeers?: string[];
};

export type Lock = {
  workspaces: { "": Dependencies };
  /** By place below node_modules, without the folders between: name and version, registry, dependencies, checksum. */
  packages: Record<string, [string, string, Dependencies, string]>;
};

const namesIn = ({ dependencies, optionalDependencies, peerDependencies, optionalPeers = [] }: Dependencies) => [
  ...Object.keys({ ...dependencies, ...optionalDependencies }),
  ...Object.keys(peerDependencies ?? {}).filter((name) => !optionalPeers.includes(name)),
];

/** Finds the place of a dependency as Node resolves it: below the package, then below each one around it. */
const resolvePlace = (packages: Lock["packages"], place: string, name: string): string | null => {
  for (let around = place; around !== ""; around = around.replace(/(^|\/)(@[^/]+\/)?[^/]+$/, "")) {
    const candidate = `${around}/${name}`;
    if (Object.hasOwn(packages, candidate)) return candidate;
  }
  return Object.hasOwn(packages, name) ? name : null;
};

/**
 * The places of everything that the dependencies of the executable lead to, each with those it needs itself. A tool that a
 * library has as a peer, such as TypeScript, is not in the executable.
 */
const closureOf = ({ workspaces, packages }: Lock): Map<string, string[]> => {
  const { dependencies = {}, devDependencies: tools = {} } = workspaces[""];
  const found = new Map<string, string[]>();
  const visit = (place: string): void => {
    if (found.has(place)) return;
    const needed = namesIn(packages[place]?.[2] ?? {})
      .filter((name) => !Object.hasOwn(tools, name))
      .flatMap((name) => resolvePlace(packages, place, name) ?? []);
    found.set(place, needed);
    for (const next of needed) visit(next);
  };
  for (const name of Object.keys(dependencies)) visit(name);
  return found;
};

const purlOf = (name: string, version: string) => `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;

const componentOf = ([nameAndVersion, , , integrity]: Lock["packages"][string], license: string | undefined) => {
  const at = nameAndVersion.lastIndexOf("@");
  const [name, version] = [nameAndVersion.slice(0, at), nameAndVersion.slice(at + 1)];
  const [, group, base = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const [, sha512] = /^sha512-(.+)$/.exec(integrity) ?? [];
  return {
    type: "library",
    "bom-ref": purlOf(name, version),
    ...(group && { group }),
    name: base,
    version,
    scope: "required",
    ...(sha512 && { hashes: [{ alg: "SHA-512", content: Buffer.from(sha512, "base64").toString("hex") }] }),
    // An expression covers single licenses as well.
    ...(license && { licenses: [{ expression: license }] }),
    purl: purlOf(name, version),
  };
};

type Product = { version: string; bunVersion: string; timestamp: string; repository: string };

/** @param licenseOf the license of the package at a place in the lock file */
export const describeMaterials = (
  lock: Lock,
  { version, bunVersion, timestamp, repository }: Product,
  licenseOf: (place: string) => string | undefined,
) => {
  const closure = closureOf(lock);
  const componentAt = (place: string) =>
    componentOf(lock.packages[place] as Lock["packages"][string], licenseOf(place));
  const refOf = (place: string) => componentAt(place)["bom-ref"];
  // The same version may lie at several places.
  const components = new Map([...closure.keys()].toSorted().map((place) => [refOf(place), componentAt(place)]));
  const needs = new Map<string, Set<string>>();
  for (const [place, needed] of closure) {
    const refs = needs.get(refOf(place)) ?? new Set();
    for (const other of needed) refs.add(refOf(other));
    needs.set(refOf(place), refs);
  }
  const product = `pkg:generic/wakeful@${version}`;
  const bun = purlOf("bun", bunVersion);
  const direct = Object.keys(lock.workspaces[""].dependencies ?? {}).map(refOf);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp,
      component: {
        type: "application",
        "bom-ref": product,
        name: "wakeful",
        version,
        licenses: [{ expression: "MIT" }],
        purl: product,
        ...(repository && { externalReferences: [{ type: "vcs", url: repository }] }),
      },
    },
    components: [
      {
        type: "platform",
        "bom-ref": bun,
        name: "bun",
        version: bunVersion,
        scope: "required",
        licenses: [{ expression: "MIT" }],
        purl: bun,
      },
      ...components.values(),
    ],
    dependencies: [
      { ref: product, dependsOn: [bun, ...direct].toSorted() },
      { ref: bun },
      ...[...needs].map(([ref, refs]) => ({ ref, dependsOn: [...refs].toSorted() })),
    ],
  };
};
