/**
 * Draws the app's icons from packaging/icon.svg: PNG files for Linux, one .ico for Windows, one .icns for macOS. The
 * results are committed, so only somebody who changes the drawing runs this; it needs rsvg-convert (librsvg2-bin).
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/project.mjs";

const folder = join(root, "packaging");
const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const windowsSizes = [16, 20, 24, 32, 40, 48, 64, 256];
/** The types of macOS that hold a PNG, with its edge in pixels. */
const macTypes = { icp4: 16, icp5: 32, ic07: 128, ic08: 256, ic09: 512, ic10: 1024, ic11: 32, ic12: 64 };

/** One PNG of the drawing, `size` pixels square. */
function draw(size) {
  const args = ["--width", String(size), "--height", String(size), join(folder, "icon.svg")];
  return execFileSync("rsvg-convert", args, { maxBuffer: 64 * 1024 * 1024 });
}

/** A Windows icon: a header, an entry of 16 bytes for each picture, then the pictures. */
function toIco(sizes) {
  const pictures = sizes.map((size) => ({ size, png: draw(size) }));
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const at = 6 + 16 * index;
    // 256 is written as 0, in both directions.
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}

/** A macOS icon: "icns" and the whole length, then each picture behind its type and length. */
function toIcns(types) {
  const parts = Object.entries(types).map(([type, size]) => chunk(type, draw(size)));
  return chunk("icns", Buffer.concat(parts));
}

function chunk(type, content) {
  const head = Buffer.from(`${type}\0\0\0\0`, "latin1");
  head.writeUInt32BE(content.length + 8, 4);
  return Buffer.concat([head, content]);
}

mkdirSync(join(folder, "icons"), { recursive: true });
for (const size of linuxSizes) writeFileSync(join(folder, "icons", `${size}x${size}.png`), draw(size));
writeFileSync(join(folder, "icon.ico"), toIco(windowsSizes));
writeFileSync(join(folder, "icon.icns"), toIcns(macTypes));
