import { COMMANDS } from "../list";

export const help = `usage: wakeful completion bash|zsh|fish

Prints a script that completes the commands and options of wakeful in a shell:

  bash   source <(wakeful completion bash)    in ~/.bashrc
  zsh    source <(wakeful completion zsh)     in ~/.zshrc, after compinit
  fish   wakeful completion fish | source     in ~/.config/fish/config.fish
`;

/** Text as one literal word of any of the shells. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const names = COMMANDS.map(({ name }) => name);
const wordsOf = ({ words = [] }: (typeof COMMANDS)[number]): string[] => [...words, "--help"];

/** Lines of a shell's `case`, one for each command. */
const cases = (write: (words: string) => string): string =>
  COMMANDS.map((command) => `    ${command.name}) ${write(wordsOf(command).join(" "))} ;;`).join("\n");

/** What follows `--` is the command line of another program. */
const SCRIPTS: Record<string, () => string> = {
  bash: () => `_wakeful() {
  local current=\${COMP_WORDS[COMP_CWORD]} words= index
  COMPREPLY=()
  for ((index = 2; index < COMP_CWORD; index++)); do
    if [ "\${COMP_WORDS[index]}" = -- ]; then
      [ "$index" -lt "$((COMP_CWORD - 1))" ] || COMPREPLY=($(compgen -c -- "$current"))
      return
    fi
  done
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${names.join(" ")} --help --version'
  else
    case \${COMP_WORDS[1]} in
${cases((words) => `words='${words}'`)}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _wakeful wakeful
`,
  zsh: () => `#compdef wakeful
_wakeful() {
  local -a entries
  local end=\${words[(i)--]}
  if (( end < CURRENT )); then
    shift $end words
    (( CURRENT -= end ))
    _normal
    return
  fi
  if (( CURRENT == 2 )); then
    entries=(
${COMMANDS.map(({ name, about }) => `      ${quoted(`${name}:${about}`)}`).join("\n")}
    )
    _describe command entries
    return
  fi
  case \${words[2]} in
${cases((words) => `compadd -- ${words}`)}
  esac || _files
}
if [ "$funcstack[1]" = _wakeful ]; then _wakeful "$@"; else compdef _wakeful wakeful; fi
`,
  fish: () =>
    COMMANDS.flatMap((command) => {
      const words = wordsOf(command);
      const options = words.filter((word) => word.startsWith("--")).map((word) => `-l ${word.slice(2)}`);
      const others = words.filter((word) => !word.startsWith("--"));
      const after = `complete -c wakeful -n '__fish_seen_subcommand_from ${command.name}'`;
      return [
        `complete -c wakeful -n __fish_use_subcommand -f -a ${command.name} -d ${quoted(command.about)}`,
        ...options.map((option) => `${after} ${option}`),
        ...(others.length > 0 ? [`${after} -f -a '${others.join(" ")}'`] : []),
      ];
    })
      .concat("")
      .join("\n"),
};

/** Prints the completion script of a shell. */
export const run = ([shell = "", ...rest]: string[]): void => {
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (!script || rest.length > 0) throw new Error("usage: wakeful completion bash|zsh|fish");
  process.stdout.write(script());
};
