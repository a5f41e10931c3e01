import { REPORT_LIMITS, type TopProcess, type TopProcesses } from "../../../shared/agents/report";
import type { Files } from "../../platform/proc";
import { round } from "../../platform/rates";
import { type Fact, nameOf } from "../figure";

/** Seconds between two readings. */
const EVERY = 5;
/** The most processes that are read. */
const LARGEST = 20_000;
/** Programs whose shared memory is looked up, and processes of each. */
const CANDIDATES = 12;
const MEMBERS = 200;

/** A thread of the kernel has this bit among its flags. */
const KERNEL_THREAD = 0x200000;
/** USER_HZ, which has this value on every architecture of the executable. */
const TICKS = 100;

type Process = { name: string; ticks: number; start: number; pages: number };

/** Parses /proc/<pid>/stat. The name is in brackets, and may hold brackets and blanks. Times are in ticks, memory in pages. */
export const parseProcess = (text: string): Process | null => {
  const [open, close] = [text.indexOf("("), text.lastIndexOf(")")];
  if (open < 0 || close < open) return null;
  const fields = text.slice(close + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  const comm = text.slice(open + 1, close);
  // "kworker/0:1-events" and the like name a processor and a task.
  const name = nameOf(field(9) & KERNEL_THREAD ? (comm.split("/")[0] ?? comm) : comm);
  const process = { name, ticks: field(14) + field(15), start: field(22), pages: field(24) };
  return Number.isFinite(process.ticks + process.start + process.pages) ? process : null;
};

/** Parses the size of a page from the auxiliary vector of a 64-bit process: entry 6. */
export const parsePageSize = (auxv: Uint8Array | null): number => {
  const view = auxv ? new DataView(auxv.buffer, auxv.byteOffset, auxv.byteLength) : null;
  for (let at = 0; view && at + 16 <= view.byteLength; at += 16)
    if (view.getBigUint64(at, true) === 6n) return Number(view.getBigUint64(at + 8, true));
  return 4096;
};

type Group = { ticks: number; pages: number; pids: string[] };

const top = (values: [name: string, value: number][], digits: number): TopProcess[] =>
  values
    .map(([name, value]) => ({ name, value: round(value, digits) }))
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value)
    .slice(0, REPORT_LIMITS.processes);

/**
 * Pages of a program. Memory that its processes share, such as the buffers of a database, counts once: the largest share of
 * one process.
 */
const pagesOf = (files: Files, folder: string, { pages, pids }: Group): number => {
  if (pids.length === 1) return pages;
  let [own, largest, looked] = [0, 0, 0];
  for (const pid of pids.slice(0, MEMBERS)) {
    const [, resident = 0, shared = 0] = (files.text(`${folder}/${pid}/statm`) ?? "").split(" ").map(Number);
    own += Math.max(0, resident - shared);
    largest = Math.max(largest, shared);
    looked++;
  }
  return Math.min(pages, (own * pids.length) / looked + largest);
};

/** Reads the programs that used most since the call before. */
const createReader = (files: Files, folder: string, monotonic: () => number) => {
  const page = parsePageSize(files.bytes("/proc/self/auxv"));
  let before: { processes: Map<string, Pick<Process, "ticks" | "start">>; at: number } | null = null;
  return (): TopProcesses | null => {
    const reading: NonNullable<typeof before> = { processes: new Map(), at: monotonic() };
    const groups = new Map<string, Group>();
    const pids = files.names(folder).filter((name) => /^\d+$/.test(name));
    for (const pid of pids.slice(0, LARGEST)) {
      const process = parseProcess(files.text(`${folder}/${pid}/stat`) ?? "");
      if (!process) continue;
      reading.processes.set(pid, { ticks: process.ticks, start: process.start });
      const earlier = before?.processes.get(pid);
      // The number of an ended process may be in use again; a process that started since then used all of its time since then.
      const counted = earlier?.start === process.start ? earlier.ticks : 0;
      const group = groups.get(process.name) ?? { ticks: 0, pages: 0, pids: [] };
      group.ticks += Math.max(0, process.ticks - counted);
      group.pages += process.pages;
      group.pids.push(pid);
      groups.set(process.name, group);
    }
    const seconds = before ? (reading.at - before.at) / 1000 : 0;
    before = reading;
    if (seconds <= 0) return null;
    const all = [...groups];
    const largest = all.toSorted(([, a], [, b]) => b.pages - a.pages).slice(0, CANDIDATES);
    return {
      cpu: top(
        all.map(([name, group]) => [name, (100 * group.ticks) / TICKS / seconds]),
        1,
      ),
      memory: top(
        largest.map(([name, group]) => [name, pagesOf(files, folder, group) * page]),
        0,
      ),
    };
  };
};

/** The programs that use most processor time and memory, by the names of their processes. Arguments are never read. */
export const processes: Fact = {
  every: EVERY,
  open: ({ files, host, monotonic }) => {
    const folder = `${host}/proc`;
    if (!files.exists(`${folder}/1/stat`)) return null;
    const read = createReader(files, folder, monotonic);
    // The first reading is what the next is compared with.
    read();
    return () => {
      const current = read();
      return current ? { processes: current } : {};
    };
  },
};
