/** Bun ends a test after 5 s by default, which a slow or busy machine exceeds. */
export const TIME_LIMIT = ["--timeout", "300000"];

/** `bun test` arguments of one group of test files. */
type Group = { name: string; words: string[] };

const isFile = (path: string): boolean => /\.tsx?$/.test(path);
const isPage = (path: string): boolean => /^(\.\/)?web\b/.test(path);
const isIsolated = (path: string): boolean => path.includes(".isolated.");

const isolatedBelow = (path: string): string[] =>
  isFile(path)
    ? [path].filter(isIsolated)
    : [...new Bun.Glob(`${path.replace(/\/$/, "")}/**/*.isolated.test.{ts,tsx}`).scanSync()];

// A whole folder is worth two processes, one file is not.
const processes = (paths: string[]): string => `--parallel=${paths.length > 1 || !paths.every(isFile) ? 2 : 1}`;

/**
 * Divides test files and folders into groups that run differently. Files share loaded modules, which halves the CPU time.
 * Page tests set up a DOM, so they run apart from server tests. Files named `*.isolated.test.ts` change state that modules
 * read once, such as a registry: each of them loads its own modules.
 */
export const groupsOf = (paths: string[]): Group[] => {
  const shared = paths.filter((path) => !isIsolated(path));
  const isolated = paths.flatMap(isolatedBelow).map((path) => `./${path.replace(/^\.\//, "")}`);
  const share = (files: string[]): string[] => [
    processes(files),
    ...["--no-isolate", "--path-ignore-patterns", "**/*.isolated.test.*"],
  ];
  const server = shared.filter((path) => !isPage(path));
  const page = shared.filter(isPage);
  const groups = [
    { name: "server", files: server, words: share(server) },
    { name: "page", files: page, words: share(page) },
    { name: "isolated", files: isolated, words: [processes(isolated), "--isolate"] },
  ];
  return groups
    .filter(({ files }) => files.length > 0)
    .map(({ name, files, words }) => ({ name, words: [...TIME_LIMIT, ...words, ...files] }));
};
