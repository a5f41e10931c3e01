import { REPORT_LIMITS, type Temperature } from "../../../shared/agents/report";
import type { Files } from "../../platform/proc";
import { round } from "../../platform/rates";
import { createBoundedReader } from "../../platform/system";
import { nameOf, type SampleFigure } from "../figure";

/** Milliseconds. Some chips block for seconds, some for good. */
const TIMEOUT = 2000;
/** How long the list of sensors stays in use (ms). */
const LIST_MS = 300_000;
/** The most folders and sensors that are read. */
const CHIPS = 64;
const SENSORS = 64;

type Sensor = { sensor: string; path: string };
/** The sensors of one chip are read one after another, so that a chip that blocks holds one thread. */
type Chip = { path: string; sensors: Sensor[] };

/** Inputs of mainboard chips that nothing is connected to. */
const JUNK = /^(AUXTIN|PCH_|Virtual_TEMP)/;
/** The sensor that speaks for the processor first, then other whole devices, single cores last. */
const ORDER = [
  /^(coretemp.*\/Package|k10temp.*\/Tctl|zenpower|cpu[_-]?thermal)/,
  /^(k10temp|coretemp|acpitz|soc)/,
  /./,
];
const CORE = /\/(Core \d|Tccd\d)/;

const placeOf = (sensor: string): number =>
  CORE.test(sensor) ? ORDER.length : ORDER.findIndex((pattern) => pattern.test(sensor));

const lineOf = (files: Files, path: string): string => files.text(path)?.trim() ?? "";

/** The sensors of a folder of /sys/class/hwmon. https://docs.kernel.org/hwmon/sysfs-interface.html */
const readChip = (files: Files, folder: string, title: string): Chip => {
  const inputs = files
    .names(folder)
    .flatMap((name) => /^temp(\d+)_input$/.exec(name)?.[1] ?? [])
    .toSorted((a, b) => Number(a) - Number(b));
  const sensors = inputs.flatMap((number): Sensor[] => {
    const label = lineOf(files, `${folder}/temp${number}_label`);
    if (JUNK.test(label)) return [];
    const part = label || (inputs.length > 1 ? number : "");
    return [{ sensor: nameOf(part ? `${title}/${part}` : title), path: `${folder}/temp${number}_input` }];
  });
  return { path: folder, sensors };
};

const listChips = (files: Files): Chip[] => {
  const folders = files
    .names("/sys/class/hwmon")
    .toSorted()
    .slice(0, CHIPS)
    .map((name) => `/sys/class/hwmon/${name}`);
  const names = folders.map((folder) => lineOf(files, `${folder}/name`) || "sensor");
  const chips = folders.map((folder, index) => {
    const name = names[index] as string;
    const isShared = names.indexOf(name) !== names.lastIndexOf(name);
    // Two disks have chips of the same name, and the numbers of chips change from start to start: the device tells them apart.
    const device = isShared ? files.link(`${folder}/device`)?.split("/").at(-1) : undefined;
    return readChip(files, folder, device?.startsWith(name) || !device ? (device ?? name) : `${name} ${device}`);
  });
  if (chips.some(({ sensors }) => sensors.length > 0)) return chips;
  return files
    .names("/sys/class/thermal")
    .filter((name) => /^thermal_zone\d+$/.test(name))
    .slice(0, CHIPS)
    .map((name) => {
      const path = `/sys/class/thermal/${name}`;
      return { path, sensors: [{ sensor: nameOf(lineOf(files, `${path}/type`) || name), path: `${path}/temp` }] };
    });
};

/** Degrees of a reading in thousandths; null for what no device in use has. */
const parseDegrees = (text: string | null): number | null => {
  const celsius = text?.trim() ? Number(text) / 1000 : Number.NaN;
  return celsius > 0 && celsius <= 150 ? round(celsius, 1) : null;
};

/** The machine's temperatures, the processor first. */
export const temperatures: SampleFigure<Temperature[]> = {
  open: ({ files, monotonic }) => {
    if (listChips(files).every(({ sensors }) => sensors.length === 0)) return null;
    let [chips, listedAt] = [[] as Chip[], Number.NEGATIVE_INFINITY];
    const read = createBoundedReader(async (folder: string): Promise<Temperature[]> => {
      const temperatures: Temperature[] = [];
      for (const { sensor, path } of chips.find(({ path }) => path === folder)?.sensors.slice(0, SENSORS) ?? []) {
        const celsius = parseDegrees(await files.slowText(path));
        if (celsius !== null) temperatures.push({ sensor, celsius });
      }
      return temperatures;
    }, TIMEOUT);
    return async () => {
      if (monotonic() - listedAt >= LIST_MS) [chips, listedAt] = [listChips(files), monotonic()];
      const all = await read(chips.map(({ path }) => path));
      // Of sensors with the same name the hottest stands for all.
      const hottest = new Map<string, Temperature>();
      for (const one of [...all.values()].flatMap((found) => found ?? []))
        if (one.celsius > (hottest.get(one.sensor)?.celsius ?? 0)) hottest.set(one.sensor, one);
      return [...hottest.values()].toSorted((a, b) => placeOf(a.sensor) - placeOf(b.sensor));
    };
  },
  fields: (after) => (after.length > 0 ? { temperatures: after.slice(0, REPORT_LIMITS.temperatures) } : {}),
};
