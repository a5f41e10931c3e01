import { describe, expect, test } from "bun:test";
import { createPaging, isOutdated, searchQuery } from "./paging";

const by = { search: "", tags: [], filter: "all", sort: "name" };

describe("the wanted part of a list", () => {
  test("is whole pages around the places that are shown", () => {
    const paging = createPaging(by);
    const wanted = (from: number, to: number) => {
      paging.want(by, from, to);
      const { offset, limit } = paging.wanted();
      return [offset, limit];
    };
    expect(wanted(0, 1)).toEqual([0, 100]);
    expect(wanted(0, 100)).toEqual([0, 100]);
    expect(wanted(60, 120)).toEqual([0, 200]);
    expect(wanted(140, 190)).toEqual([0, 300]);
    expect(wanted(260, 320)).toEqual([200, 200]);
  });

  test("is the first page when a list is opened, and stays the same on a return to the same selection", () => {
    const paging = createPaging(by);
    paging.want(by, 260, 320);
    paging.open({ ...by }, true);
    expect(paging.wanted()).toMatchObject({ offset: 200, limit: 200 });
    paging.open({ ...by, search: "a" }, true);
    expect(paging.wanted()).toMatchObject({ search: "a", offset: 0, limit: 100 });
    paging.want(by, 260, 320);
    paging.open({ ...by }, false);
    expect(paging.wanted()).toMatchObject({ offset: 0, limit: 100 });
  });

  test("changes with the selection and with other pages only", () => {
    const paging = createPaging(by);
    expect(paging.want(by, 0, 40)).toBe(false);
    expect(paging.want({ ...by, search: "a" }, 0, 40)).toBe(true);
    expect(paging.want({ ...by, search: "a" }, 10, 60)).toBe(false);
    expect(paging.want({ ...by, search: "a" }, 300, 340)).toBe(true);
  });
});

test("a search is trimmed, cut to what the server accepts, and left out when it is empty", () => {
  expect(searchQuery("  ")).toEqual({});
  expect(searchQuery(" web ")).toEqual({ search: "web" });
  expect(searchQuery("x".repeat(500)).search).toHaveLength(200);
});

describe("a list is outdated", () => {
  const up = [
    { id: 1, status: "up" },
    { id: 2, status: "up" },
  ];
  const down = [{ id: 1, status: "down" }, up[1]!];
  const counts = (up: number, down: number) => ({ all: up + down, up, down });
  const list = (listing: object = {}, total = 2) => ({
    ...{ items: up, total, counts: counts(2, 0) },
    listing: { ...by, ...listing },
  });

  test("by a new status only where that changes its order or its matches", () => {
    expect(isOutdated(list(), down, counts(1, 1), [1])).toBe(false);
    expect(isOutdated(list({ sort: "status" }), down, counts(1, 1), [1])).toBe(true);
    expect(isOutdated(list({ filter: "up" }), down, counts(1, 1), [1])).toBe(true);
  });

  test("by an item that it lacks, if it has all of them", () => {
    expect(isOutdated(list(), up, undefined, [1, 3])).toBe(true);
    expect(isOutdated(list({}, 500), up, undefined, [1, 3])).toBe(false);
  });

  test("by other numbers than the server counts", () => {
    expect(isOutdated(list(), up, counts(2, 0), [])).toBe(false);
    expect(isOutdated(list(), up, counts(1, 1), [])).toBe(true);
    expect(isOutdated(list({ search: "a" }), up, counts(2, 0), [])).toBe(false);
    expect(isOutdated(list({ search: "a" }), up, counts(3, 0), [])).toBe(true);
  });
});
