import type { Words } from "../../zh-CN";
import type { enrollment as zhCN } from "../../zh-CN/servers/enrollment";

export const enrollment: Words<typeof zhCN> = {
  count: "Number of servers",
  one: "One",
  several: "Several",
  title: "Create a token for several servers",
  text: "The same command then works on each of them, also from Ansible, cloud-init or an image.",
  uses: "Servers at most",
  lifetime: "Valid for",
  days_one: "{{count}} day",
  days_other: "{{count}} days",
  create: "Create token",
  shared_one: "This command works on {{count}} server until {{time}}.",
  shared_other: "This command works on up to {{count}} servers until {{time}}.",
  left: "{{left}} of {{uses}} uses left until {{time}}",
  servers_one: "{{count}} server has enrolled",
  servers_other: "{{count}} servers have enrolled",
};
