import { version } from "../../build-info";
import { COMMANDS, type CommandName } from "../list";

export const help = `usage: wakeful man

Prints the manual page, which has the help of every command:

  wakeful man | sudo tee /usr/local/share/man/man1/wakeful.1
`;

/** Text without a meaning for roff: a backslash, a hyphen, and a dot or an apostrophe at the beginning of a line. */
const literal = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/gm, "\\&");

/** The manual page in roff, as man(7) describes it. `helps` are the texts of `wakeful COMMAND --help`. */
export const manPage = (helps: Record<CommandName, string>): string =>
  [
    `.TH WAKEFUL 1 "" "Wakeful ${literal(version)}" "User Commands"\n.nh\n.ad l`,
    ".SH NAME\nwakeful \\- monitor web services and servers",
    ".SH SYNOPSIS\n.B wakeful\n.RI [ COMMAND ]",
    ".SH COMMANDS",
    ...COMMANDS.map(({ name, about, ...rest }) => {
      const form = rest.form ? ` ${rest.form}` : "";
      return `.TP\n\\fB${literal(name)}\\fR${literal(form)}\n${literal(about)}`;
    }),
    ...COMMANDS.map(({ name }) => `.SH ${literal(name.toUpperCase())}\n.nf\n${literal(helps[name].trimEnd())}\n.fi`),
    "",
  ].join("\n");
