import { betterstack } from "./betterstack/betterstack";
import { csv } from "./csv";
import { gatus } from "./gatus/gatus";
import { healthchecks } from "./healthchecks";
import { kuma } from "./kuma/kuma";
import { beszel } from "./servers/beszel";
import { komari } from "./servers/komari";
import { nezha } from "./servers/nezha";
import type { Source, Upload } from "./source";
import { statuspage } from "./statuspage/statuspage";
import { uptimerobot } from "./uptimerobot";
import { xugou } from "./xugou/xugou";

/** Every source, in the order of trial. A new source is a line here. */
export const SOURCES: readonly Source[] = [
  kuma,
  xugou,
  beszel,
  nezha,
  komari,
  healthchecks,
  uptimerobot,
  betterstack,
  statuspage,
  gatus,
  csv,
];

/** Bytes that a source recognises a file by. */
const START = 64 * 1024;

/** The source that a file is of; undefined for an unknown one. */
export const sourceOf = async (upload: Upload): Promise<Source | undefined> => {
  const start = new Uint8Array(await Bun.file(upload.file).slice(0, START).arrayBuffer());
  for (const source of SOURCES) if (await source.recognise(upload, start)) return source;
  return undefined;
};
