import { expect, it, onTestFinished } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHostsFile, parseHosts } from "./system-dns";

it("a hosts file maps each name to the addresses of its own lines, in order", () => {
  const hosts = parseHosts(
    "127.0.0.1 localhost A.example # both\n::1\tlocalhost ip6-localhost\n10.0.0.2 b.example shared\n10.0.0.3 c.example shared\nnonsense d.example\n#1.1.1.1 e.example\n",
  );
  expect(Object.fromEntries(hosts)).toEqual({
    localhost: ["127.0.0.1", "::1"],
    "a.example": ["127.0.0.1"],
    "ip6-localhost": ["::1"],
    "b.example": ["10.0.0.2"],
    shared: ["10.0.0.2", "10.0.0.3"],
    "c.example": ["10.0.0.3"],
  });
});

it("a hosts file is read again when it changes, and counts as empty while it is missing", () => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-hosts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "hosts");
  let time = 0;
  const addressesOf = createHostsFile(file, () => time);
  expect(addressesOf("nas")).toEqual([]);
  writeFileSync(file, "10.0.0.7 nas\n");
  expect(addressesOf("nas")).toEqual([]);
  time += 1000;
  expect([addressesOf("nas"), addressesOf("nas.")]).toEqual([["10.0.0.7"], ["10.0.0.7"]]);
  writeFileSync(file, "10.0.0.17 nas\n");
  time += 1000;
  expect(addressesOf("nas")).toEqual(["10.0.0.17"]);
  rmSync(file);
  time += 1000;
  expect(addressesOf("nas")).toEqual([]);
});

it("localhost and names below it resolve without a hosts file, and to the addresses in it if it has them", () => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-hosts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "hosts");
  const missing = createHostsFile(file);
  for (const name of ["localhost", "localhost.", "app.localhost"])
    expect([name, missing(name)]).toEqual([name, ["127.0.0.1", "::1"]]);
  expect([missing("nolocalhost"), missing("localhost.example")]).toEqual([[], []]);
  writeFileSync(file, "127.0.0.2 localhost\n");
  expect(createHostsFile(file)("localhost")).toEqual(["127.0.0.2"]);
});
