import type { ConfigurationFile, ImportNote } from "../calls";

/** The server takes no longer bodies. */
export const maxFileSize = 1024 * 1024;

/** What a chosen file holds, or the code of what is wrong with it. What is in it is for the server to judge. */
export const parseFile = (text: string): ConfigurationFile | "not_configuration" => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "format" in value
      ? (value as ConfigurationFile)
      : "not_configuration";
  } catch {
    return "not_configuration";
  }
};

/** What a note is about, as the file calls it: "channels.2" is the name of its third channel. */
export const nameOf = ({ path }: Pick<ImportNote, "path">, { channels, agents }: ConfigurationFile): string => {
  const [part, place] = path.split(".");
  const list = part === "channels" ? channels : part === "agents" ? agents : undefined;
  return list?.[Number(place)]?.name ?? path;
};
