/** Whether a glob matches the whole of a name. */
const matches = (glob: string, name: string): boolean => new Bun.Glob(glob).match(name);

type Interfaces = {
  names: string[];
  /** Whether the interface is hardware. Virtual interfaces would count its traffic a second time. */
  isPhysical: (name: string) => boolean;
  /** Called only when there is no physical interface, as in containers. */
  defaultRoutes: () => string[];
};

/** Selects the interfaces to count: those that match the globs, or else the physical ones. */
export const selectInterfaces = (globs: string[], { names, isPhysical, defaultRoutes }: Interfaces): string[] => {
  const wanted = globs.filter((glob) => !glob.startsWith("!"));
  const unwanted = globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
  const kept = names.filter((name) => !unwanted.some((glob) => matches(glob, name)));
  if (wanted.length > 0) return kept.filter((name) => wanted.some((glob) => matches(glob, name)));
  const physical = kept.filter(isPhysical);
  if (physical.length > 0) return physical;
  const routes = defaultRoutes();
  return kept.filter((name) => routes.includes(name));
};
