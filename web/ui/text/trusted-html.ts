type Policy = { createHTML: (html: string) => string };
type WithPolicies = { trustedTypes?: { createPolicy: (name: string, rules: Policy) => Policy } };

let policy: Policy | undefined;

/** The property of an element with HTML that the hub has made from Markdown: it contains no element from its writer. */
export const trustedHtml = (html: string): { __html: string } => {
  const { trustedTypes } = globalThis as WithPolicies;
  policy ??= trustedTypes?.createPolicy("incidents", { createHTML: (text) => text });
  return { __html: policy?.createHTML(html) ?? html };
};
