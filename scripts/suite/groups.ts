/** Bun ends a test after 5 s by default, which a slow or busy machine exceeds. */
const TIME_LIMIT = ["--timeout", "120000"];

/** `bun test` arguments of one group of test files. */
type Group = { name: string; words: string[] };

const isFile = (path: string): boolean => /\.tsx?$/.test(path);
const isPage = (path: string): boolean => /^(\.\/)?web\b/.test(path);
const isIsolated = (path: string): boolean => path.includes(".isolated.");

const isolatedBelow = (path: string): string[] =>
  isFile(path)
    ? [path].filter(isIsolated)
    : [...new Bun.Glob(`${path.replace(/\/$/, "")}/**/*.isolated.test.ts`).scanSync()];

// A whole folder is worth two processes, one file is not.
const processes = (paths: string[]): string => `--parallel=${paths.length > 1 || !paths.every(isFile) ? 2 : 1}`;

/**
 * Divides test files and folders into groups that run differently. Files of the server share their loaded modules, which
 * takes a third less CPU time. Files named `*.isolated.test.ts` change a registry before the product reads it, and files
 * of the page set up a DOM, so each of them has modules of its own.
 */
export const groupsOf = (paths: string[]): Group[] => {
  const page = paths.filter(isPage);
  const server = paths.filter((path) => !isPage(path));
  const shared = server.filter((path) => !isIsolated(path));
  const isolated = server.flatMap(isolatedBelow).map((path) => `./${path.replace(/^\.\//, "")}`);
  const groups = [
    {
      name: "server",
      files: shared,
      words: [processes(shared), "--no-isolate", "--path-ignore-patterns", "**/*.isolated.test.ts"],
    },
    { name: "server, isolated", files: isolated, words: ["--isolate"] },
    { name: "page", files: page, words: [processes(page), "--isolate"] },
  ];
  return groups
    .filter(({ files }) => files.length > 0)
    .map(({ name, files, words }) => ({ name, words: [...TIME_LIMIT, ...words, ...files] }));
};
