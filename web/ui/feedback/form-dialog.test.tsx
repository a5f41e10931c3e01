import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { CallError } from "../../api";
import { text } from "../../lib/form";
import { setUpPage } from "../../testing/set-up";
import { act, render, screen, userEvent, waitFor } from "../../testing/test-page";
import { Field } from "../controls/field";
import { useSubmit } from "../hooks/use-submit";
import { FormDialog } from "./form-dialog";

setUpPage();

type ExampleProps = { save: (name: string) => Promise<void>; onClose?: () => void; ownCheck?: () => void };

/** A dialog with two fields. With `ownCheck` the form checks itself. */
function Example({ save, onClose = () => undefined, ownCheck }: ExampleProps) {
  const form = useSubmit("Failed to save", { ...(ownCheck && { onRefused: ownCheck }) });
  const send = () => form.submit(() => save(text(new FormData(form.element.current ?? undefined), "name")), onClose);
  const shared = { title: "Edit", focus: "[name=name]", onClose };
  const fields = (
    <>
      <input name="first" aria-label="First" />
      <Field label="Name" error={form.wrong("name")}>
        <input name="name" required />
      </Field>
    </>
  );
  return ownCheck ? (
    <FormDialog {...shared} of={form} onSubmit={send}>
      {fields}
    </FormDialog>
  ) : (
    <FormDialog {...shared} of={form} onValid={send}>
      {fields}
    </FormDialog>
  );
}

const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const name = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Name" });
const closes = () => {
  const calls: string[] = [];
  return { calls, onClose: () => void calls.push("closed") };
};
const refuseName = () =>
  Promise.reject(
    new CallError("validation", "invalid", 422, { fields: [{ path: "name", message: "name: invalid", code: "" }] }),
  );

test("a dialog gives the focus to its field, sends the form and closes", async () => {
  const { calls, onClose } = closes();
  render(<Example save={async (saved) => void calls.push(saved)} onClose={onClose} />);
  expect(document.activeElement).toBe(name());
  await userEvent.type(name(), "On-call");
  await press("Save");
  await waitFor(() => expect(calls).toEqual(["On-call", "closed"]));
});

test("a form that Form checks is not sent while a field is wrong", async () => {
  const { calls, onClose } = closes();
  render(<Example save={async () => void calls.push("sent")} onClose={onClose} />);
  await press("Save");
  await waitFor(() => expect(document.activeElement).toBe(name()));
  expect(name().getAttribute("aria-invalid")).toBe("true");
  expect(calls).toEqual([]);
});

test("a form that checks itself gets what the hub refused, and the dialog shows the failure", async () => {
  const { calls, onClose } = closes();
  render(<Example save={refuseName} onClose={onClose} ownCheck={() => calls.push("refused")} />);
  await press("Save");
  await screen.findByRole("alert");
  expect(name().getAttribute("aria-invalid")).toBeNull();
  expect(calls).toEqual(["refused"]);
});

test("while a form is being sent, the dialog stays open and its buttons are disabled", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  render(<Example save={() => promise} />);
  await userEvent.type(name(), "On-call");
  await press("Save");
  const buttons = () => screen.getAllByRole<HTMLButtonElement>("button").map(({ disabled }) => disabled);
  await screen.findByRole("button", { name: "Saving…" });
  expect(buttons()).toEqual([true, true]);
  const event = new Event("cancel", { cancelable: true });
  act(() => void screen.getByRole("dialog").dispatchEvent(event));
  expect(event.defaultPrevented).toBe(true);
  resolve();
  await waitFor(() => expect(buttons()).toEqual([false, false]));
});

test("Escape asks before a typed change is lost, and closes an unchanged dialog", async () => {
  const { calls, onClose } = closes();
  render(<Example save={async () => undefined} onClose={onClose} />);
  const pressEscape = () => {
    const event = new Event("cancel", { cancelable: true });
    act(() => void screen.getAllByRole("dialog")[0]?.dispatchEvent(event));
    return event.defaultPrevented;
  };
  expect(pressEscape()).toBe(false);
  await userEvent.type(name(), "x");
  expect(pressEscape()).toBe(true);
  await press("Discard changes");
  expect(calls).toEqual(["closed"]);
});
