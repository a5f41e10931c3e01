/** The part of css-tree that the build uses; the package has no types of its own. */
declare module "css-tree" {
  export type List<T> = {
    isEmpty: boolean;
    toArray(): T[];
    forEach(visit: (data: T, item: object) => void): void;
    remove(item: object): void;
  };
  export type SelectorList = { type: "SelectorList"; children: List<Selector> };
  export type Selector = { type: "Selector"; children: List<CssNode> };
  export type CssNode =
    | SelectorList
    | Selector
    | { type: "TypeSelector" | "PseudoClassSelector"; name: string; children: List<CssNode> | null }
    | { type: "AttributeSelector" };
  type Block = { children: List<object> };
  type Visited = {
    Rule: { prelude: SelectorList | { type: "Raw" }; block: Block };
    Atrule: { block: Block | null };
    Declaration: { property: string };
  };
  export const parse: (css: string) => object;
  export const generate: (node: object) => string;
  export const walk: <K extends keyof Visited>(
    node: object,
    options: { visit: K; leave: (node: Visited[K], item: object, list?: List<object>) => void },
  ) => void;
}
