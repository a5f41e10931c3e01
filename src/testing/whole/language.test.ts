import { expect, it } from "bun:test";
import { readSources } from "../sources";

const BANNED =
  /\b(whoever|nobody|somebody|anew)\b|patience|trouble|oddit|forgive|\b(tell|tells|told|telling) of\b|Nobody|Whoever|Anew/i;

/** Comments and identifiers: strings may be texts for users. */
const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/;
const PIECE = new RegExp(`/\\*[\\s\\S]*?\\*/|//[^\\n]*|${STRING.source}`, "g");
const withoutStrings = (text: string): string => text.replace(PIECE, (piece) => (piece.startsWith("/") ? piece : '""'));

/** Files that still hold such words. The list may only become shorter. */
const NOT_YET = new Set([
  "scripts/bench/faults/connections.ts",
  "src/agent/send/send.test.ts",
  "src/modules/agents/ingest/offline.test.ts",
  "src/modules/agents/install/downloads.test.ts",
  "src/modules/auth/keys/routes.ts",
  "src/modules/auth/accounts/service.ts",
  "src/modules/monitors/engine/engine.failures.test.ts",
  "src/modules/monitors/engine/engine.test.ts",
  "src/modules/monitors/engine/job.ts",
  "src/modules/monitors/engine/limits/admission.ts",
  "src/modules/monitors/engine/sql/record.test.ts",
  "src/modules/monitors/engine/sql/record.ts",
  "src/modules/monitors/engine/sql/schedule.ts",
  "src/modules/monitors/history/purge.ts",
  "src/modules/monitors/kinds/kind.ts",
  "src/modules/status-page/secrets.test.ts",
  "src/modules/status-page/service.ts",
  "src/modules/users/delete.race.test.ts",
  "src/modules/users/delete.test.ts",
  "src/modules/users/owners.ts",
  "src/modules/users/service.ts",
  "src/probe/errors.test.ts",
  "src/probe/errors.ts",
  "src/probe/http.ts",
  "src/testing/agent-program.ts",
  "src/testing/clock.ts",
  "src/testing/db/database.ts",
  "src/testing/db/move.ts",
  "src/testing/db/truncate.ts",
  "src/testing/fixtures/seed-everything.ts",
  "src/testing/fixtures/session.ts",
  "src/testing/fuzz/malformed.ts",
  "src/testing/fuzz/requests.ts",
  "src/testing/fuzz/world.ts",
  "src/testing/installer.ts",
  "src/testing/servers/fake-dns.ts",
  "src/testing/servers/link.ts",
  "src/testing/whole/permissions.test.ts",
  "web/pages/status/bar.test.ts",
  "web/pages/status/bar.ts",
  "web/pages/status/cards.ts",
]);

it("comments and identifiers use the terms of the glossary, and none of the words it replaces", () => {
  const found = readSources("src", "web", "scripts").filter(
    ({ path, text }) => !/^web\/locales\/|language\.test\.ts$/.test(path) && BANNED.test(withoutStrings(text)),
  );
  expect(found.map(({ path }) => path).filter((path) => !NOT_YET.has(path))).toEqual([]);
});
