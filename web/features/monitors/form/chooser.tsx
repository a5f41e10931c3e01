import { useTranslation } from "react-i18next";
import { useSearchParams } from "wouter";
import { KindIcon } from "../kind-icon";
import type { KindView, Tile } from "./kinds/kind";
import { KINDS } from "./kinds/registry";

/** A kind with one of its choices of what to watch, and a preset of that; empty for none. */
export type Choice = { view: KindView; name: string; tile: Tile; preset: string };

/** Every choice of what to watch, by the name of its icon. A kind's own one comes after its more specific ones. */
const choices = (): Omit<Choice, "preset">[] =>
  KINDS.flatMap((view) => [
    ...Object.entries(view.tiles ?? {}).map(([name, tile]) => ({ view, name, tile })),
    { view, name: view.kind, tile: view },
  ]);

const offers = ({ presets = [] }: Tile, preset: string) => presets.some(({ name }) => name === preset);

/** The choice that an address names: `?kind=tcp&preset=redis`. The first kind unless it names another one. */
const choiceOf = (kind: string | null, preset: string): Choice => {
  const view = KINDS.find((view) => view.kind === kind) ?? KINDS[0];
  const own = choices().filter((choice) => choice.view === view);
  const choice = own.find(({ tile }) => offers(tile, preset)) ?? { view, name: view.kind, tile: view };
  return { ...choice, preset: offers(choice.tile, preset) ? preset : (choice.tile.presets?.[0]?.name ?? "") };
};

/** The choice in the page's address, and a function that changes it there. */
export const useChoice = () => {
  const [search, setSearch] = useSearchParams();
  const choice = choiceOf(search.get("kind"), search.get("preset") ?? "");
  const choose = ({ view, preset }: Pick<Choice, "view" | "preset">) =>
    setSearch({ kind: view.kind, ...(preset && { preset }) }, { replace: true });
  return { choice, choose };
};

type Props = { chosen: Choice; onChoose: (choice: Choice, byPointer: boolean) => void };

/** Asks in plain words what to watch. The answer decides about the fields of the form. */
export function Chooser({ chosen, onChoose }: Props) {
  const { t } = useTranslation();
  return (
    <fieldset className="chooser">
      <legend>{t("kinds.choose")}</legend>
      <div className="tiles">
        {choices().map(({ view, name, tile }) => (
          <label key={name} className="tile">
            <input
              type="radio"
              name="watched"
              value={name}
              checked={name === chosen.name}
              aria-labelledby={`tile-${name}`}
              aria-describedby={`tile-${name}-hint`}
              onChange={({ nativeEvent }) => {
                const preset = tile.presets?.[0]?.name ?? "";
                // The keys that move among the choices click as well, but without a pointer.
                const byPointer = nativeEvent instanceof UIEvent && nativeEvent.detail > 0;
                onChoose({ view, name, tile, preset }, byPointer);
              }}
            />
            <KindIcon name={name} className="tile-icon" />
            <span>
              <span className="question" id={`tile-${name}`}>
                {tile.question(t)}
              </span>
              <span className="hint" id={`tile-${name}-hint`}>
                {tile.hint(t)}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
