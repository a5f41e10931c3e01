/** The components of a page in Statuspage's form, with a group for each heading. */
import { isoTime } from "../../../lib/time";
import { COMPONENT_STATUSES, type ComponentStatus, KEY_LETTERS } from "../../../shared/status/components";
import type { PageComponent } from "../pages/components";
import type { PageRow } from "../pages/find";
import type { StatuspageComponent } from "./shapes";

/** The key of something without a row: the same for the same text. */
export const derivedKey = (text: string): string =>
  [...new Bun.CryptoHasher("sha256").update(text).digest()]
    .slice(0, KEY_LETTERS)
    .map((byte) => String.fromCharCode(97 + (byte % 26)))
    .join("");

/** The worst of some statuses. */
export const worstOf = (statuses: readonly ComponentStatus[]): ComponentStatus =>
  COMPONENT_STATUSES.findLast((status) => statuses.includes(status)) ?? "operational";

type Statuses = (component: PageComponent) => ComponentStatus;

const presentOne = (page: PageRow, { row, label }: PageComponent, status: ComponentStatus): StatuspageComponent => ({
  ...{ id: row.key, name: label, status },
  ...{ created_at: isoTime(row.createdAt), updated_at: isoTime(row.updatedAt) },
  ...{ position: 1, description: row.description || null, showcase: false },
  ...{ start_date: isoTime(row.createdAt).slice(0, 10), group_id: null, page_id: page.key },
  ...{ group: false, only_show_if_degraded: false },
});

/**
 * The components of a page, each group before what is in it. A group that is only one tag is a component by itself. Also the
 * components by the ids of their rows.
 */
export const presentComponents = (page: PageRow, components: readonly PageComponent[], statusOf: Statuses) => {
  const byRow = new Map<number, StatuspageComponent>();
  const list: StatuspageComponent[] = [];
  const blocks = [...Map.groupBy(components, (one) => (isAlone(one, components) ? `alone ${one.row.id}` : one.group))];
  // As on the page, what is in no group follows.
  const grouped = blocks.filter(([name, [first]]) => name !== "" && first?.group === name);
  const rest = blocks.filter((block) => !grouped.includes(block));
  let position = 0;
  for (const [name, members] of [...grouped, ...rest]) {
    const presented = members.map((one) => presentOne(page, one, statusOf(one)));
    for (const [place, one] of members.entries()) {
      const shown = presented[place];
      if (shown) byRow.set(one.row.id, shown);
    }
    if (members[0]?.group !== name || name === "") {
      for (const one of presented) list.push(Object.assign(one, { position: ++position }));
      continue;
    }
    const id = derivedKey(`group ${page.key} ${name}`);
    const times = (field: "created_at" | "updated_at") => presented.map((one) => one[field]).toSorted();
    const [created = ""] = times("created_at");
    list.push({
      ...{ id, name, status: worstOf(presented.map(({ status }) => status)) },
      ...{ created_at: created, updated_at: times("updated_at").at(-1) ?? created, position: ++position },
      ...{ description: null, showcase: false, start_date: null, group_id: null, page_id: page.key, group: true },
      ...{ only_show_if_degraded: false, components: presented.map((one) => one.id) },
    });
    for (const [place, one] of presented.entries())
      list.push(Object.assign(one, { position: place + 1, group_id: id }));
  }
  return { list, byRow };
};

/** Whether a listed tag is all that is in its group, whose name it has. */
const isAlone = ({ row, group, label }: PageComponent, all: readonly PageComponent[]): boolean =>
  row.listed && row.target.tag !== null && label === group && all.filter((one) => one.group === group).length === 1;
