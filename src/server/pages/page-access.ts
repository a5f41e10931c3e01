/** The document of a private status page for visitors without access. */

import { escapeHtml } from "../../lib/html";
import type { Gated } from "../../modules/status-page/access/gate";
import { pathOf } from "../../modules/status-page/pages/address";
import type { Language } from "../../shared/language";
import { PAGE_PASSWORD } from "../../shared/status/access";
import { contentSecurityPolicy, inLanguage } from "./documents";
import { isAtDomain, type Place } from "./place";

type Words = {
  title: string;
  password: string;
  label: string;
  open: string;
  wrong: string;
  tooMany: (minutes: number) => string;
  members: string;
  foreign: string;
  signIn: string;
  /** At a domain of the page, which has no sessions. */
  elsewhere: string;
};

const WORDS: Record<Language, Words> = {
  "en-US": {
    title: "This status page is private",
    password: "Enter its password to open it.",
    label: "Password",
    open: "Open the page",
    wrong: "This password is wrong.",
    tooMany: (minutes) => `Too many attempts. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    members: "It is for members of its team. Sign in to open it.",
    foreign: "It is for members of its team, and your account is not one of them.",
    signIn: "Sign in",
    elsewhere: "It is for members of its team. Open it in Wakeful, where you can sign in.",
  },
  "zh-CN": {
    title: "此状态页不公开",
    password: "请输入密码后查看。",
    label: "密码",
    open: "打开状态页",
    wrong: "密码错误。",
    tooMany: (minutes) => `尝试次数过多，请 ${minutes} 分钟后再试。`,
    members: "仅团队成员可以查看，请先登录。",
    foreign: "仅团队成员可以查看，你的账号不是该团队的成员。",
    signIn: "登录",
    elsewhere: "仅团队成员可以查看，请在 Wakeful 中登录后打开。",
  },
};

/** Why a password was not accepted. */
export type Problem = { status: 401 } | { status: 429; retryAfter: number };

type Options = {
  /** The template in the theme of the page. */
  template: string;
  page: Gated;
  language: Language;
  place: Place;
  /** The query of the address. */
  search: string;
  problem?: Problem | undefined;
};

const passwordForm = ({ label, open, wrong, tooMany }: Words, action: string, problem: Problem | undefined): string => {
  const text = problem?.status === 429 ? tooMany(Math.ceil(problem.retryAfter / 60)) : wrong;
  const invalid = problem ? ' aria-invalid="true" aria-describedby="wrong"' : "";
  const alert = problem ? `<p class="wrong" id="wrong" role="alert">${text}</p>` : "";
  return `<form method="post" action="${escapeHtml(action)}"><label>${label}<input type="password" name="password" autocomplete="current-password" maxlength="${PAGE_PASSWORD.max}" required autofocus${invalid}></label>${alert}<button type="submit">${open}</button></form>`;
};

/** Asks members to sign in; at a domain, it leads to the address of the page at the hub. */
const membersPart = ({ page, language, place }: Options) => {
  const words = WORDS[language];
  if (isAtDomain(place)) {
    const link = `<p><a class="enter" href="${escapeHtml(page.hub + pathOf(page.slug))}">${words.signIn}</a></p>`;
    return { about: `<p class="about">${words.elsewhere}</p>`, form: page.hub ? link : "", script: "" };
  }
  const { slug, home } = place;
  const query = slug === undefined ? "" : `?${new URLSearchParams({ page: slug })}`;
  return {
    about: `<p class="about" data-state="guest">${words.members}</p><p class="about" data-state="foreign" hidden>${words.foreign}</p>`,
    form: `<p data-state="guest"><a class="enter" href="./login?${new URLSearchParams({ next: home })}">${words.signIn}</a></p>`,
    script: `<script src="./page-access.js" data-page="${page.key}" data-call="./api/status/session${query}"></script>`,
  };
};

const passwordPart = ({ page, language, place, search, problem }: Options) => {
  const words = WORDS[language];
  const known = page.title ? `${words.title}${language === "zh-CN" ? "。" : ". "}` : "";
  const form = passwordForm(words, `.${place.home}/access${search}`, problem);
  return { about: `<p class="about">${known}${words.password}</p>`, form, script: "" };
};

/** Asks for the password of a page, or for a sign-in of its members. It has nothing of the page but a title that is public. */
export const accessDocument = (options: Options): Response => {
  const { template, page, language, problem } = options;
  const title = page.title || WORDS[language].title;
  const { about, form, script } = page.access === "members" ? membersPart(options) : passwordPart(options);
  const head = `<meta name="robots" content="noindex"><link rel="stylesheet" href="./page-access.css">${page.theme === "auto" ? '<script src="./theme.js"></script>' : ""}`;
  const body = inLanguage(template, language)
    .replaceAll(/<script\b(?=[^>]*(?:type="module"|id="start"))[\s\S]*?<\/script>/g, "")
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, "")
    .replace(/<title>[\s\S]*?<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace("</head>", () => `${head}</head>`)
    .replace(
      /(<div id="root">)\s*(<\/div>)/,
      (_, open, close) =>
        `${open}<main class="page access"><div class="hero"><h1>${escapeHtml(title)}</h1>${about}</div>${form}</main>${script}${close}`,
    );
  return new Response(body, {
    status: problem?.status ?? 401,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy(),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      ...(problem?.status === 429 && { "retry-after": String(problem.retryAfter) }),
    },
  });
};
