/** What a page of the console may load: scripts, styles and connections from here, and pictures inside the page. */
export const contentSecurityPolicy = (imageOrigin = ""): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `img-src 'self' data:${imageOrigin && ` ${imageOrigin}`}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");

/** The origin of a status page's logo, as a source of pictures: nothing for a data: picture, or without a logo. */
export const logoOrigin = (logoUrl: string): string => {
  const url = URL.parse(logoUrl);
  return url?.protocol === "https:" ? url.origin : "";
};

/** Answers that are no pages load nothing, and are shown in no frame. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

const SECURITY_HEADERS: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
};

/** Whether the browser reached this console by https: as the proxy in front says, or as PUBLIC_URL says. */
const isHttps = (request: Request, publicUrl: string): boolean => {
  const forwarded = request.headers.get("x-forwarded-proto")?.split(",")[0]?.trim();
  return forwarded ? forwarded === "https" : publicUrl.startsWith("https:");
};

/**
 * Adds the security headers to an answer, and keeps those that it has already. Search engines may list only what says
 * so itself by a header `x-robots-tag: all`.
 */
export const addSecurityHeaders = (response: Response, request: Request, path: string, publicUrl: string): void => {
  const { headers } = response;
  const add = (name: string, value: string) => headers.has(name) || headers.set(name, value);
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  if (headers.get("x-robots-tag") === "all") headers.delete("x-robots-tag");
  else add("x-robots-tag", "noindex");
  // A file of the page has what matters to it; a page is twenty files.
  if (headers.has("x-content-type-options")) return;
  for (const name in SECURITY_HEADERS) headers.set(name, SECURITY_HEADERS[name] as string);
  // Badges are shown on other sites.
  add("cross-origin-resource-policy", path.startsWith("/badge/") ? "cross-origin" : "same-origin");
  add("content-security-policy", NO_PAGE);
  // Browsers ignore it on plain http, and complain about it in their consoles.
  if (isHttps(request, publicUrl)) add("cross-origin-opener-policy", "same-origin");
};
