import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { useLayoutEffect } from "react";
import { Link } from "wouter";
import { CallError } from "../../api";
import { hasUnsaved, text } from "../../lib/form";
import { signIn } from "../../session";
import { setUpPage } from "../../testing/set-up";
import { cleanup, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { useSubmit } from "../hooks/use-submit";
import { Field } from "./field";
import { Form, FormFoot } from "./form";

setUpPage({ path: "/form" });

/** A form whose second field is in a closed fold. */
function Example({ send, next }: { send: (fields: FormData) => Promise<void>; next?: () => void }) {
  const form = useSubmit("Failed to save");
  const check = (fields: FormData) => ({ body: text(fields, "body") === "bad" ? "Not this" : undefined });
  return (
    <>
      <Form of={form} onValid={(fields) => form.submit(() => send(fields), next)} check={check} focus="name">
        <Field label="Name" error={form.wrong("name")}>
          <input name="name" required />
        </Field>
        <details>
          <summary>More</summary>
          <Field label="Port" error={form.wrong("port")}>
            <input name="port" type="number" min={1} max={9} defaultValue="1" />
          </Field>
          <Field label="Body" error={form.wrong("body")}>
            <input name="body" />
          </Field>
        </details>
        <FormFoot of={form} />
      </Form>
      <Link href="/elsewhere">Elsewhere</Link>
    </>
  );
}

/** The form, with a function that is called before it is on screen. */
function Rendered({ onRendered }: { onRendered: () => void }) {
  useLayoutEffect(onRendered, [onRendered]);
  return <Example send={async () => {}} />;
}

const save = async () => userEvent.click(await screen.findByRole("button", { name: "Save" }));
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const alerts = () => screen.queryAllByRole("alert").map(({ textContent }) => textContent);
const hasFocus = (label: string) => document.activeElement === field(label);

test("a new form has the focus, and knows its values, before anyone can type into it", async () => {
  signIn("token", { id: 1, username: "bob", role: "user" });
  const focused: boolean[] = [];
  const type = () => {
    focused.push(hasFocus("Name *"));
    field("Name *").value = "x";
  };
  render(<Rendered onRendered={type} />);
  expect(focused).toEqual([true]);
  expect(hasUnsaved()).toBe(true);
});

test("a new form has the focus, and a missing value is named when the form is submitted", async () => {
  let sent = 0;
  render(<Example send={async () => void sent++} />);
  await waitFor(() => expect(hasFocus("Name *")).toBe(true));
  await userEvent.tab();
  expect(alerts()).toEqual([]);
  await save();
  expect(alerts()).toEqual(["Enter a name"]);
  expect([hasFocus("Name *"), sent]).toEqual([true, 0]);
  await userEvent.type(field("Name *"), "x");
  expect(alerts()).toEqual([]);
  await save();
  await waitFor(() => expect(sent).toBe(1));
});

test("a wrong value is named when its field is left, and its fold opens when the form is submitted", async () => {
  const { container } = render(<Example send={async () => {}} />);
  await userEvent.type(field("Name *"), "x");
  await userEvent.clear(field("Port"));
  await userEvent.type(field("Port"), "12");
  await userEvent.click(field("Name *"));
  await waitFor(() => expect(alerts()).toEqual(["The port must be between 1 and 65,535"]));
  const fold = container.querySelector("details");
  fold?.removeAttribute("open");
  await save();
  expect([fold?.open, hasFocus("Port")]).toEqual([true, true]);
});

test("a field that the form itself refuses is right again once its text is", async () => {
  render(<Example send={async () => {}} />);
  await userEvent.type(field("Name *"), "x");
  await userEvent.type(field("Body"), "bad");
  await save();
  expect(alerts()).toEqual(["Not this"]);
  await userEvent.type(field("Body"), " no more");
  expect(alerts()).toEqual([]);
});

test("fields that the server refuses have its reasons, and only others are in the foot of the form", async () => {
  const refusal = (...paths: string[]) =>
    new CallError("validation", "", 422, {
      fields: paths.map((path) => ({ path, message: `${path}: refused` })),
    });
  const failures: unknown[] = [
    refusal("config.port", "name", "body"),
    refusal("kind"),
    new CallError("network", "", 0),
    new CallError("username_taken", "", 409),
  ];
  render(
    <Example
      send={async () => {
        throw failures.shift();
      }}
    />,
  );
  await userEvent.type(field("Name *"), "x");
  await save();
  await waitFor(() =>
    expect(alerts()).toEqual([
      "Enter a name that is not too long",
      "The port must be between 1 and 65,535",
      "The body is too large or invalid",
    ]),
  );
  await waitFor(() => expect(hasFocus("Name *")).toBe(true));
  await save();
  await waitFor(() => expect(alerts()).toEqual(["Some fields are not valid, please check them"]));
  await save();
  await waitFor(() => expect(alerts()[0]).toStartWith("Failed to save: The server could not be reached."));
  await save();
  await waitFor(() => expect(alerts()).toEqual(["Failed to save: Username already exists"]));
});

test("typed changes are asked about before a link is followed, and saved ones are not", async () => {
  signIn("token", { id: 1, username: "alice", role: "user" });
  render(<Example send={async () => {}} />);
  expect(hasUnsaved()).toBe(false);
  await userEvent.type(field("Name *"), "x");
  expect(hasUnsaved()).toBe(true);
  const follow = () => userEvent.click(screen.getByRole("link", { name: "Elsewhere" }));
  await follow();
  const dialog = within(screen.getByRole("dialog"));
  dialog.getByText("Your changes aren’t saved and will be lost.");
  await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  expect([location.pathname, field("Name *").value]).toEqual(["/form", "x"]);
  await save();
  await waitFor(() => expect(hasUnsaved()).toBe(false));
  await userEvent.type(field("Name *"), "y");
  await follow();
  await userEvent.click(screen.getByRole("button", { name: "Discard changes" }));
  await waitFor(() => expect(location.pathname).toBe("/elsewhere"));
});

test("a saved form opens the next page, unless the user has left it before", async () => {
  let finish = () => {};
  const opened: string[] = [];
  const send = () => new Promise<void>((resolve) => (finish = resolve));
  const saveAs = async (name: string) => {
    render(<Example send={send} next={() => opened.push(name)} />);
    await userEvent.type(field("Name *"), "x");
    await save();
  };
  await saveAs("after the first");
  finish();
  await waitFor(() => expect(opened).toEqual(["after the first"]));
  await cleanup();
  await saveAs("after the second");
  await cleanup();
  finish();
  await Bun.sleep(20);
  expect(opened).toEqual(["after the first"]);
});
