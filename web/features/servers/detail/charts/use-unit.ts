import { useFormat } from "../../../../ui/hooks/use-format";
import type { Unit } from "./choices";

/** Writes figures of a unit; the same function until the language changes. */
export const useUnit = (unit: Unit): ((figure: number | null) => string) => {
  const format = useFormat();
  const writers: Record<Unit, (figure: number | null) => string> = {
    share: format.share,
    rate: format.rate,
    number: format.figure,
    celsius: format.celsius,
    milliseconds: format.milliseconds,
  };
  return writers[unit];
};

/** Writes the round figures of an axis. */
export const useAxisUnit = (unit: Unit): ((figure: number) => string) => {
  const format = useFormat();
  const write = useUnit(unit);
  if (unit === "celsius") return format.axisCelsius;
  return unit === "number" ? format.axisNumber : write;
};
