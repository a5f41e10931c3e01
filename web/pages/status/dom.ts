type Attributes = Record<string, string | number | undefined>;
type Child = Node | string | false | null | undefined;

const isThere = (child: Child): child is Node | string => child !== false && child !== null && child !== undefined;

const create = (element: Element, attributes: Attributes, children: Child[]) => {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) element.setAttribute(name, String(value));
  element.append(...children.filter(isThere));
  return element;
};

/** An element with its attributes and what is in it; what is not there is left out. */
export const h = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] => create(document.createElement(name), attributes, children) as HTMLElementTagNameMap[K];

/** The same for drawings. */
export const svg = (name: string, attributes: Attributes = {}, ...children: Child[]): SVGElement =>
  create(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children) as SVGElement;
