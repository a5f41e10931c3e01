import { api, payload } from "../../api";
import { resource } from "../../lib/resource";

const listWindows = () => payload(api.windows.get());

/** The maintenance windows of the team, with the names of their monitors and servers. */
export const windowsAtom = resource(listWindows);

export type Windows = Awaited<ReturnType<typeof listWindows>>;
export type MaintenanceWindow = Windows["windows"][number];
export type Occurrence = NonNullable<MaintenanceWindow["current"]>;
type WindowBody = Parameters<typeof api.windows.post>[0];
export type ScheduleBody = WindowBody["schedule"];

export const saveWindow = async (body: WindowBody, id?: number): Promise<void> => {
  await (id === undefined ? payload(api.windows.post(body)) : payload(api.windows({ id }).put(body)));
};

export const endWindow = (id: number) => payload(api.windows({ id }).end.post());

export const deleteWindow = (id: number) => payload(api.windows({ id }).delete());

/** The next occurrences of a schedule that is not saved yet. */
export const previewSchedule = async (schedule: ScheduleBody): Promise<Occurrence[]> =>
  (await payload(api.windows.preview.post({ schedule }))).occurrences;
