/**
 * `bun run unit [--changed] [path…]`: the tests below the given folders or files, by default all of src and web, on a
 * database in memory. Stress tests (`*.stress.test.ts`) run in `sh scripts/test` only, or when one is named. With
 * `--changed`, only files that the uncommitted changes can affect.
 */
import { spawn } from "bun";
import { groupsOf } from "./suite/groups";

const words = process.argv.slice(2);
const named = words.filter((word) => !word.startsWith("--"));
const options = words.filter((word) => word.startsWith("--"));
const skipped = named.some((path) => path.includes(".stress."))
  ? []
  : ["--path-ignore-patterns", "**/*.stress.test.ts"];

let code = 0;
for (const group of groupsOf(named.length === 0 ? ["./src", "./web"] : named)) {
  const tests = spawn(
    [process.execPath, "test", "--only-failures", "--pass-with-no-tests", ...options, ...skipped, ...group.words],
    {
      // Empty: the tests use SQLite, also if the shell sets another database.
      env: { ...process.env, TEST_DATABASE_URL: "" },
      stdio: ["inherit", "inherit", "inherit"],
    },
  );
  code = (await tests.exited) || code;
}
process.exit(code);
