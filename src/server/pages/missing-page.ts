/** The document for browsers at addresses of a page's domain that have nothing. It names nothing of the hub. */
import type { Deps } from "../../core/deps";
import { escapeHtml } from "../../lib/html";
import type { Pages } from "../../modules/status-page/access/pages";
import type { Language } from "../../shared/language";
import { contentSecurityPolicy, inLanguage, readDocument } from "./documents";
import { wishesOf } from "./last-documents";
import { inPlace, placeAtDomain } from "./place";
import { inTheme } from "./status-page";
import { SUBSCRIPTION_WORDS } from "./subscription-words";

const WORDS: Record<Language, { title: string; text: string }> = {
  "en-US": { title: "Page not found", text: "There is nothing at this address." },
  "zh-CN": { title: "页面不存在", text: "此地址没有内容。" },
};

/** Whether a request is of a browser that opens a document. */
export const wantsDocument = ({ method, headers }: Request): boolean =>
  (method === "GET" || method === "HEAD") && (headers.get("accept") ?? "").includes("text/html");

/** Answers with a link to the page, in the language of the visitor or else of the page; null where the page is gone. */
export const createMissingDocument = (
  directory: string,
  { config, pages }: Pick<Deps, "config"> & { pages: Pick<Pages, "gated"> },
) => {
  const template = readDocument(directory, "status.html", config)
    .replaceAll(/<script\b[\s\S]*?<\/script>/g, "")
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, "");
  return async (request: Request, slug: string): Promise<Response | null> => {
    const page = await pages.gated(slug);
    if (!page) return null;
    const { asked, preferred } = wishesOf(request);
    const language = preferred ?? page.language;
    const { title, text } = WORDS[language];
    const words = SUBSCRIPTION_WORDS[language];
    const name = page.title || words.untitled;
    const home = `./${asked ? `?lang=${language}` : ""}`;
    const content = `<main class="page access"><div class="hero"><h1>${escapeHtml(name)}</h1><p class="about">${text}</p></div><p><a class="enter" href="${home}">${words.back}</a></p></main>`;
    const head = `<meta name="robots" content="noindex"><link rel="stylesheet" href="./page-access.css">${page.theme === "auto" ? '<script src="./theme.js"></script>' : ""}`;
    const body = inTheme(inPlace(inLanguage(template, language), placeAtDomain(slug)), page.theme)
      .replace(/<title>[\s\S]*?<\/title>/, () => `<title>${escapeHtml(`${title} · ${name}`)}</title>`)
      .replace("</head>", () => `${head}</head>`)
      .replace(/(<div id="root">)\s*(<\/div>)/, (_, open, close) => open + content + close);
    return new Response(request.method === "HEAD" ? null : body, {
      status: 404,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": contentSecurityPolicy(),
        "referrer-policy": "no-referrer",
        vary: "accept, accept-language",
      },
    });
  };
};
