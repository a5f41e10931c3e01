/**
 * `bun run unit [path…]`: the tests below the given folders or files, by default all of src and web, on a database in
 * memory. Stress tests (`*.stress.test.ts`) run in `sh scripts/test` only, or when one is named.
 */
import { spawn } from "bun";

const named = process.argv.slice(2);
const skipped = named.some((path) => path.includes(".stress."))
  ? []
  : ["--path-ignore-patterns", "**/*.stress.test.ts"];
// A whole folder is worth two processes, one file is not.
const parallel = named.length === 0 || named.some((path) => !/\.tsx?$/.test(path)) ? ["--parallel=2"] : [];
const paths = named.length === 0 ? ["src", "web"] : named;
/** Bun ends a test after 5 s by default, which a slow or busy machine exceeds. */
const LIMIT = ["--timeout", "60000"];
const tests = spawn(
  [process.execPath, "test", "--isolate", "--only-failures", ...LIMIT, ...parallel, ...skipped, ...paths],
  {
    // Empty: the tests use SQLite, whatever the shell has set.
    env: { ...process.env, TEST_DATABASE_URL: "" },
    stdio: ["inherit", "inherit", "inherit"],
  },
);
process.exit(await tests.exited);
