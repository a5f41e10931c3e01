/** Whether a glob matches the whole of a name. */
const matches = (glob: string, name: string): boolean => new Bun.Glob(glob).match(name);

type Interfaces = {
  names: string[];
  /** Whether there is hardware behind it: then nothing it carries is counted a second time. */
  isPhysical: (name: string) => boolean;
  /** Asked only when nothing is physical, as inside containers. */
  defaultRoutes: () => string[];
};

/** The interfaces whose traffic is the machine's: those that the globs ask for, or else those with hardware behind them. */
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
