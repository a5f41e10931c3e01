import { expect, it } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sampleAt, temporaryFolder } from "../../testing/agent-program";
import { CAPACITY, countWaiting, openSampleQueue } from "./sample-queue";

const fill = (folder: string, minutes: number[], said: string[] = []) => {
  const buffer = openSampleQueue(folder, (text) => said.push(text));
  for (const minute of minutes) buffer.add(sampleAt(minute));
  return buffer;
};
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

it("writes nothing to disk while reports succeed", () => {
  const folder = temporaryFolder();
  const buffer = fill(folder, [0]);
  buffer.drop(buffer.oldest(1000));
  buffer.add(sampleAt(1));
  expect(existsSync(join(folder, "samples"))).toBe(false);
});

it("stores the queue on disk from the first failed report", () => {
  const folder = temporaryFolder();
  const buffer = fill(folder, [0, 1]);
  buffer.keep();
  buffer.add(sampleAt(2));
  expect(statSync(join(folder, "samples")).mode & 0o777).toBe(0o600);
  // Nothing was closed: this is the next start after a crash.
  expect(openSampleQueue(folder, () => {}).oldest(1000)).toEqual([sampleAt(0), sampleAt(1), sampleAt(2)]);
  expect(countWaiting(folder)).toBe(3);
});

it("removes the file when the queue is empty", () => {
  const folder = temporaryFolder();
  const buffer = fill(folder, [0, 1, 2]);
  buffer.keep();
  buffer.drop(buffer.oldest(2));
  expect(existsSync(join(folder, "samples"))).toBe(true);
  buffer.drop(buffer.oldest(2));
  expect(existsSync(join(folder, "samples"))).toBe(false);
});

it("stores exactly the queue when it is closed", () => {
  const folder = temporaryFolder();
  const buffer = fill(folder, [0, 1, 2]);
  buffer.drop(buffer.oldest(2));
  buffer.close();
  const next = openSampleQueue(folder, () => {});
  expect(next.oldest(1000)).toEqual([sampleAt(2)]);
  next.drop(next.oldest(1));
  next.close();
  expect(countWaiting(folder)).toBe(0);
});

it("drops the oldest samples beyond the capacity and logs it once", () => {
  const folder = temporaryFolder();
  const said: string[] = [];
  const buffer = fill(folder, upTo(CAPACITY + 10), said);
  expect(buffer.size).toBe(CAPACITY);
  expect(buffer.oldest(1)).toEqual([sampleAt(10)]);
  expect(said).toEqual(["More than 1440 samples are queued; the oldest are dropped."]);
  buffer.keep();
  expect(openSampleQueue(folder, () => {}).size).toBe(CAPACITY);
});

it("keeps the file bounded", () => {
  const folder = temporaryFolder();
  const buffer = fill(folder, [0]);
  buffer.keep();
  const size = statSync(join(folder, "samples")).size;
  for (const minute of upTo(4 * CAPACITY)) buffer.add(sampleAt(minute + 1));
  expect(statSync(join(folder, "samples")).size).toBeLessThan((2 * CAPACITY + 1) * (size + 1));
  expect(openSampleQueue(folder, () => {}).oldest(1)).toEqual(buffer.oldest(1));
});

it("loses only a line truncated by a crash", () => {
  const folder = temporaryFolder();
  const path = join(folder, "samples");
  fill(folder, [0, 1]).keep();
  appendFileSync(path, `\n${JSON.stringify(sampleAt(2)).slice(0, 40)}`);
  const buffer = openSampleQueue(folder, () => {});
  buffer.add(sampleAt(3));
  expect(openSampleQueue(folder, () => {}).oldest(1000)).toEqual([sampleAt(0), sampleAt(1), sampleAt(3)]);
});

it("starts empty when the file holds something else", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "samples"), `\0\0\0\0\n{"at":5}\nnull\n[]\n"x"\n`);
  expect(openSampleQueue(folder, () => {}).size).toBe(0);
});

it("keeps samples in memory when the disk is full, and logs it once", () => {
  const folder = temporaryFolder();
  const said: string[] = [];
  const buffer = fill(folder, [0, 1], said);
  mkdirSync(join(folder, "samples"));
  buffer.keep();
  buffer.keep();
  buffer.add(sampleAt(2));
  expect(buffer.size).toBe(3);
  expect(said).toHaveLength(1);
  expect(said[0]).toContain("they are kept in memory");
});

it("ends a batch where the clock was set back", () => {
  const buffer = fill(temporaryFolder(), [10, 11, 3, 4]);
  expect(buffer.oldest(1000)).toEqual([sampleAt(10), sampleAt(11)]);
  buffer.drop(buffer.oldest(1000));
  expect(buffer.oldest(1000)).toEqual([sampleAt(3), sampleAt(4)]);
});

it("stores one valid JSON document per line", () => {
  const folder = temporaryFolder();
  const buffer = fill(folder, [0]);
  buffer.keep();
  buffer.add(sampleAt(1));
  const lines = readFileSync(join(folder, "samples"), "utf8").split("\n").slice(1);
  expect(lines.map((line) => JSON.parse(line))).toEqual([sampleAt(0), sampleAt(1)]);
});
