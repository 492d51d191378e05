import { expect, it } from "vitest";
import { contentOf, kindOf, withDropped } from "./files";

const file = (path: string, text = "x") => Object.assign(new File([text], path.split("/").pop() ?? ""), { path });
const paths = (...dropped: File[]) => withDropped([], dropped).map((each) => each.path);

it("takes a folder's content with its subfolders", () => {
  expect(paths(file("/vmx/base.yaml"), file("/vmx/nested/card.yaml"))).toEqual(["base.yaml", "nested/card.yaml"]);
  expect(paths(file("./base.yaml"), file("/nested/card.yaml"))).toEqual(["base.yaml", "nested/card.yaml"]);
});

it("replaces a file of the same path", () => {
  const before = withDropped([], [file("./base.yaml", "old"), file("./base.env")]);
  const after = withDropped(before, [file("./base.yaml", "newer")]);
  expect(after.map((each) => [each.path, each.file.size])).toEqual([
    ["base.env", 1],
    ["base.yaml", 5],
  ]);
});

it("distinguishes archives from loose files", () => {
  const kind = (...names: string[]) =>
    kindOf(
      withDropped(
        [],
        names.map((name) => file(`./${name}`)),
      ),
    );
  expect([kind(), kind("a.csar"), kind("a.yaml", "b.env"), kind("a.zip", "b.env")]).toEqual([
    ...["nothing", "archive", "files", "mixed"],
  ]);
});

it("sends an archive as it is, and files under their paths", () => {
  const zip = withDropped([], [file("./a.zip")]);
  expect(contentOf(zip)).toBe(zip[0]?.file);
  expect([...(contentOf(zip, "vdus: []") as FormData).keys()]).toEqual(["file", "vnfd"]);
  const loose = contentOf(withDropped([], [file("./a.yaml"), file("./b/c.yaml")])) as FormData;
  expect([...loose.keys()]).toEqual(["files", "b/c.yaml"]);
});
