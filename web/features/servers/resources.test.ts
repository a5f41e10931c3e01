import { expect, test } from "bun:test";
import { resourcesOf } from "./resources";

const figures = {
  cpu_usage: 12.5,
  memory_total: 8000,
  memory_used: 2000,
  disk_total: 100,
  disk_used: 80,
  network_rx: 20,
  network_tx: 5.6,
};
const zero = { cpu: 0, memory: 0, disk: 0, network: 0 };

test("resources are shown in percent, and 51.2 KB/s fill the network's bar", () => {
  expect(resourcesOf(figures)).toEqual({ cpu: 12.5, memory: 25, disk: 80, network: 50, problem: null });
  expect(resourcesOf({ ...figures, network_rx: 51.2, network_tx: 0 }).network).toBe(100);
  expect(resourcesOf({ ...figures, network_rx: 5000 }).network).toBe(100);
});

test("a CPU usage of 0 is a usable figure", () => {
  expect(resourcesOf({ ...figures, cpu_usage: 0 })).toMatchObject({ cpu: 0, memory: 25, problem: null });
});

test.each(["cpu_usage", "memory_total", "memory_used", "disk_total", "disk_used"] as const)(
  "without %s all resources are shown as zero",
  (name) => {
    expect(resourcesOf({ ...figures, [name]: null })).toEqual({ ...zero, problem: "missing" });
  },
);

test("unknown network rates leave the other resources visible", () => {
  expect(resourcesOf({ ...figures, network_rx: null, network_tx: null })).toMatchObject({ network: 0, problem: null });
});

test("figures that are negative or not a number are reported as unreadable", () => {
  expect(resourcesOf({ ...figures, memory_used: Number.NaN })).toEqual({ ...zero, problem: "unreadable" });
  expect(resourcesOf({ ...figures, disk_used: -1 })).toEqual({ ...zero, problem: "unreadable" });
});

test("an unknown disk total of 0 shows a disk use of 0", () => {
  expect(resourcesOf({ ...figures, disk_total: 0, disk_used: 0 })).toMatchObject({ disk: 0, memory: 25 });
});
