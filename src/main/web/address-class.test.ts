/** Which addresses count as private, in every way of writing them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPrivateAddress, readPlace, showsAddress } from "./address-class.ts";

describe("isPrivateAddress", () => {
  it("is true for every range that is not the plain public internet", () => {
    const addresses =
      "127.0.0.1 127.9.9.9 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 100.100.100.200 224.0.0.1 240.0.0.1 255.255.255.255 198.18.0.1 192.0.2.1 168.63.129.16 ::1 :: fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 ff02::1 ::ffff:10.0.0.1 ::ffff:7f00:1 ::127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: 2001::1 fec0::1 2001:db8::1 localhost not-an-address";
    for (const address of addresses.split(" ")) expect(isPrivateAddress(address), address).toBe(true);
  });

  it("is false for public addresses, mapped ones included", () => {
    for (const address of ["93.184.216.34", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"]) {
      expect(isPrivateAddress(address), address).toBe(false);
    }
  });

  it("is the same for an IPv4 address and its IPv6-mapped form", () => {
    fc.assert(
      fc.property(
        fc.ipV4(),
        (address) => isPrivateAddress(address) === isPrivateAddress(`::ffff:${address}`),
      ),
    );
  });
});

describe("readPlace", () => {
  it.each([
    ["http://127.0.0.1:3000/x", "private"],
    ["http://localhost:3000/", "private"],
    ["http://app.localhost/", "private"],
    ["http://LOCALHOST./", "private"],
    ["http://0x7f000001/", "private"],
    ["http://[::1]/", "private"],
    ["http://169.254.169.254/latest/", "private"],
    ["http://8.8.8.8/", "public"],
    ["https://example.com/", "named"],
    ["https://localhost.example.com/", "named"],
    ["file:///etc/passwd", "none"],
    ["https://user:pw@example.com/", "none"],
    ["not an address", "none"],
  ])("says of %s that it is %s", (url, kind) => expect(readPlace(url).kind).toBe(kind));
});

describe("showsAddress", () => {
  it("is true for the number that the address itself shows, in any of its forms, and for this machine", () => {
    const shows = (url: string, address: string) => showsAddress(new URL(url), address);
    expect(shows("http://10.0.0.7/", "10.0.0.7")).toBe(true);
    expect(shows("http://[::ffff:10.0.0.7]/", "10.0.0.7")).toBe(true);
    expect(shows("http://localhost/", "127.0.0.1")).toBe(true);
    expect(shows("http://localhost/", "::1")).toBe(true);
    expect(shows("http://10.0.0.7/", "10.0.0.8")).toBe(false);
    expect(shows("http://localhost/", "10.0.0.7")).toBe(false);
    expect(shows("http://intranet.example/", "10.0.0.7")).toBe(false);
    expect(shows("http://127.0.0.1.example/", "127.0.0.1")).toBe(false);
  });
});
