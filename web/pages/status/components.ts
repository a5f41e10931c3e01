import type { StatusData } from "../../../src/modules/status-page/publish";

/** A page with its components as services: in the group of their heading, after what is in it. */
export const withComponents = <Page extends StatusData>(page: Page): Page => {
  const { components, monitors, groups } = page;
  if (!components?.length) return page;
  // Ids of services are positive.
  const services = components.map((component, place) => ({ ...component, id: -1 - place }));
  const names = new Set([...groups.map(({ name }) => name), ...services.map(({ group }) => group)]);
  names.delete("");
  return {
    ...page,
    monitors: [...monitors, ...services],
    groups: [...names].flatMap((name) => {
      const own = services.filter(({ group }) => group === name).map(({ id }) => id);
      const [first = { name, monitors: [], agents: [] }, ...others] = groups.filter((group) => group.name === name);
      return [{ ...first, monitors: [...first.monitors, ...own] }, ...others];
    }),
  };
};
