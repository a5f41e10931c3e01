import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CssNode, generate, parse, type SelectorList, walk } from "css-tree";

/** Elements that a page has without a component that renders them. */
const ALWAYS_PRESENT = ["*", "html", "body"];

const transpilers = { ".ts": new Bun.Transpiler({ loader: "ts" }), ".tsx": new Bun.Transpiler({ loader: "tsx" }) };

/** The sources of `file` and of the files of the product that it imports, directly or not. */
const sourcesOf = (file: string, known = new Map<string, string>()): Map<string, string> => {
  if (known.has(file)) return known;
  // Attributes of imports are none of elements.
  const source = readFileSync(file, "utf8").replaceAll(/ with \{ type: "file" \}/g, "");
  known.set(file, source);
  for (const { path } of transpilers[file.endsWith(".tsx") ? ".tsx" : ".ts"].scanImports(source)) {
    const imported =
      path.startsWith(".") &&
      Object.keys(transpilers)
        .map((end) => join(dirname(file), path) + end)
        .find(existsSync);
    if (imported) sourcesOf(imported, known);
  }
  return known;
};

/** What selectors may match on a page. */
type Present = {
  element: (name: string) => boolean;
  /** `selector` is the selector of an attribute, with its brackets. */
  attribute: (selector: string) => boolean;
};

/**
 * The elements and attributes in the sources. A name that also means something else in them counts as present; a value has
 * to stand beside its name, as in `type="search"` or `type: "search"`.
 */
const presentIn = (sources: string, hasDarkTheme: boolean): Present => {
  const elements = new Set([
    ...ALWAYS_PRESENT,
    ...[...sources.matchAll(/<([a-z][a-z0-9]*)\b/g)].map(([, name]) => name),
  ]);
  const words = new Set(sources.toLowerCase().match(/[a-z-]+/g));
  return {
    element: (name) => elements.has(name),
    attribute: (selector) => {
      const [, name = "", value] = /^\[([\w-]+)(?:[~|^$*]?="?([^"\]]*)"?)?\]$/.exec(selector) ?? [];
      if (name === "data-theme") return hasDarkTheme || value !== "dark";
      if (!words.has(name)) return false;
      if (value === undefined || value === "true" || value === "false") return true;
      return new RegExp(`\\b${name}(=|: |={[^}]*)"${value}"`).test(sources);
    },
  };
};

/** Whether a part of a selector may match on the page. Drops the branches that cannot. */
const canMatch = (node: CssNode, present: Present): boolean => {
  if (node.type === "TypeSelector") return present.element(node.name);
  if (node.type === "AttributeSelector") return present.attribute(generate(node));
  if (node.type !== "PseudoClassSelector") return true;
  // No page is a shadow tree, and every page has a theme.
  if (node.name === "host" || generate(node) === ":not([data-theme])") return false;
  if (node.name !== "is" && node.name !== "where") return true;
  const [branches] = node.children?.toArray() ?? [];
  return branches?.type !== "SelectorList" || keepMatching(branches, present);
};

/** Removes the selectors of a list that cannot match, and says whether any is left. */
const keepMatching = ({ children }: SelectorList, present: Present): boolean => {
  children.forEach((selector, place) => {
    if (selector.type === "Selector" && !selector.children.toArray().every((node) => canMatch(node, present)))
      children.remove(place);
  });
  return !children.isEmpty;
};

const references = (css: string): string[] => [...css.matchAll(/var\((--pico-[\w-]+)/g)].map(([, name]) => name ?? "");

export type Page = {
  /** The files whose components the page renders, with what they import. */
  components: readonly string[];
  /** Files whose components have all their rules in a stylesheet of their own, which is loaded with them. */
  except?: readonly string[];
  /** The folders of its stylesheets. */
  styles: readonly string[];
  /** Whether it has a dark theme. */
  hasDarkTheme: boolean;
};

/** Pico without the rules that can match nothing on a page, and without the variables that then nothing uses. */
export const prunePico = (css: string, { components, except = [], styles, hasDarkTheme }: Page): string => {
  const sources = new Map(except.map((file) => [file, ""]));
  for (const file of components) sourcesOf(file, sources);
  const present = presentIn([...sources.values()].join("\n"), hasDarkTheme);
  const sheet = parse(css);
  walk(sheet, {
    visit: "Rule",
    leave: (rule, item, list) => {
      if (rule.prelude.type === "SelectorList" && !keepMatching(rule.prelude, present)) list?.remove(item);
    },
  });
  const own = styles.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".css"))
      .flatMap((name) => references(readFileSync(`${folder}/${name}`, "utf8"))),
  );
  // A variable may be used by another that is itself unused.
  for (let removed = -1; removed !== 0; ) {
    removed = 0;
    const used = new Set([...own, ...references(generate(sheet))]);
    walk(sheet, {
      visit: "Declaration",
      leave: ({ property }, item, list) => {
        if (!property.startsWith("--pico-") || used.has(property)) return;
        list?.remove(item);
        removed++;
      },
    });
  }
  walk(sheet, {
    visit: "Rule",
    leave: ({ block }, item, list) => {
      if (block.children.isEmpty) list?.remove(item);
    },
  });
  walk(sheet, {
    visit: "Atrule",
    leave: ({ block }, item, list) => {
      if (block?.children.isEmpty) list?.remove(item);
    },
  });
  return generate(sheet);
};

/**
 * A stylesheet without the rules for browsers that do not know `:is()`. The bundler adds them beside each rule with one, and
 * other parts of the page do not work in such browsers.
 */
export const dropOutdatedRules = (css: string): string => {
  const sheet = parse(css);
  walk(sheet, {
    visit: "Rule",
    leave: ({ prelude }, item, list) => {
      if (/:-(webkit|moz)-any\(/.test(generate(prelude))) list?.remove(item);
    },
  });
  return generate(sheet);
};
