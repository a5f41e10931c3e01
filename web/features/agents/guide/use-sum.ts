import { useEffect, useState } from "react";
import { fileName, type Target } from "./commands";

/** Reads the checksum of a program over this page's own connection; null where the console does not have it itself. */
const readSum = async (name: string): Promise<string | null> => {
  try {
    const response = await fetch(new URL(`downloads/${name}.sha256`, document.baseURI), { credentials: "omit" });
    const [sum = ""] = (await response.text()).split(" ");
    return response.ok && /^[0-9a-f]{64}$/.test(sum) ? sum : null;
  } catch {
    return null;
  }
};

/** The checksum of the program for a machine, null where there is none, undefined until that is known. */
export const useSum = (target: Target, offered: boolean): string | null | undefined => {
  const name = offered && target.system === "linux" ? fileName(target) : undefined;
  const [read, setRead] = useState<{ name: string; sum: string | null }>();
  useEffect(() => {
    if (name === undefined) return;
    let wanted = true;
    void readSum(name).then((sum) => wanted && setRead({ name, sum }));
    return () => {
      wanted = false;
    };
  }, [name]);
  if (name === undefined) return null;
  return read?.name === name ? read.sum : undefined;
};
