import { type Gpu, REPORT_LIMITS } from "../../../shared/agents/report";
import type { Files } from "../../platform/proc";
import { type Fact, nameOf } from "../figure";

const COMMAND = [
  "nvidia-smi",
  "--query-gpu=utilization.gpu,memory.total,memory.used,temperature.gpu,name",
  "--format=csv,noheader,nounits",
];
const MIB = 1024 ** 2;

/** A figure within its limits; null for what a device does not know, as in `[N/A]`. */
const figureOf = (text: string | null | undefined, largest: number): number | null => {
  const value = text?.trim() ? Number(text) : Number.NaN;
  return value >= 0 && value <= largest ? value : null;
};

const usageOf = (total: number | null, used: number | null, unit = 1): Gpu["memory"] =>
  total && used !== null && used <= total ? { total: total * unit, used: used * unit } : null;

/** Parses the rows of nvidia-smi: one for each GPU, without units. */
const parseNvidia = (text: string): Gpu[] =>
  text.split("\n").flatMap((line): Gpu[] => {
    const [usage, total, used, celsius, ...name] = line.split(",");
    if (name.length === 0) return [];
    return [
      {
        name: nameOf(name.join(",")),
        usage: figureOf(usage, 100),
        memory: usageOf(figureOf(total, 1e9), figureOf(used, 1e9), MIB),
        celsius: figureOf(celsius, 150),
      },
    ];
  });

/** The GPUs of AMD, whose driver shows figures as files. https://docs.kernel.org/gpu/amdgpu/thermal.html */
const readAmd = (files: Files): Gpu[] =>
  files
    .names("/sys/class/drm")
    .filter((name) => /^card\d+$/.test(name))
    .flatMap((card): Gpu[] => {
      const folder = `/sys/class/drm/${card}/device`;
      const busy = files.text(`${folder}/gpu_busy_percent`);
      if (busy === null) return [];
      const bytes = (name: string) => figureOf(files.text(`${folder}/mem_info_vram_${name}`), Number.MAX_SAFE_INTEGER);
      const [chip] = files.names(`${folder}/hwmon`);
      const degrees = figureOf(chip && files.text(`${folder}/hwmon/${chip}/temp1_input`), 150_000);
      return [
        {
          name: nameOf(files.text(`${folder}/product_name`)?.trim() || `AMD GPU ${card}`),
          usage: figureOf(busy, 100),
          memory: usageOf(bytes("total"), bytes("used")),
          celsius: degrees === null ? null : degrees / 1000,
        },
      ];
    });

/** Use, memory and temperature of GPUs of NVIDIA and AMD. */
export const gpus: Fact = {
  every: 60,
  open: ({ files, has, output }) => {
    const hasNvidia = has("nvidia-smi");
    if (!hasNvidia && readAmd(files).length === 0) return null;
    return async () => {
      const gpus = [...(hasNvidia ? parseNvidia(await output(COMMAND)) : []), ...readAmd(files)];
      return gpus.length > 0 ? { gpus: gpus.slice(0, REPORT_LIMITS.gpus) } : {};
    };
  },
};
