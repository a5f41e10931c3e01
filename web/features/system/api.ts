import { api, payload } from "../../api";
import { resource } from "../../lib/resource";

export type System = Awaited<ReturnType<typeof readSystem>>;
export type Attention = System["attention"][number];

const readSystem = () => payload(api.system.get());

/** Sends a test mail to the signed-in administrator, and returns what the mail server said. */
export const sendTestMail = async (): Promise<string> => (await payload(api.system.mail.test.post())).message;

export const systemAtom = resource(readSystem);
