import type { ConfigurationFile, ImportNote } from "../calls";

/** The server's limit for a body, in bytes. */
export const MAX_FILE_SIZE = 1024 * 1024;

/** The content of a chosen file, or an error code. The server validates the content. */
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

/** The name in the file of what a note is about: for the path "channels.2", the name of the third channel. */
export const nameOf = ({ path }: Pick<ImportNote, "path">, { channels, agents }: ConfigurationFile): string => {
  const [part, place] = path.split(".");
  const list = part === "channels" ? channels : part === "agents" ? agents : undefined;
  return list?.[Number(place)]?.name ?? path;
};
