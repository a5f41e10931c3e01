import { useAtomValue } from "jotai";
import { bootstrap } from "../../bootstrap";
import { resource } from "../../lib/resource";
import { registration } from "./calls";

const registrationAtom = resource(registration);

/** Whether people may register here, and whether the viewer's account would be the first. Until the server has answered, what the page was delivered with. */
export const useRegistration = (): { open: boolean; first: boolean } => {
  const { data } = useAtomValue(registrationAtom);
  return { open: data?.open ?? bootstrap.registration === "open", first: data?.first ?? false };
};
