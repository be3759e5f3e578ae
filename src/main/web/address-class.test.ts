/** Which addresses count as private, in every way of writing them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyAddress, isPrivateAddress } from "./address-class.ts";

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

describe("classifyAddress", () => {
  it("judges by what the name resolves to, the strictest address first", async () => {
    const to =
      (...addresses: string[]) =>
      async () =>
        addresses.map((address) => ({ address, family: 4 as const }));
    expect(await classifyAddress("https://example.com/", to("93.184.216.34"))).toBe("public");
    expect(await classifyAddress("https://example.com/", to("93.184.216.34", "10.0.0.1"))).toBe("private");
    expect(await classifyAddress("https://example.com/", to())).toBe("unresolvable");
    expect(await classifyAddress("https://example.com/", () => Promise.reject(new Error("ENOTFOUND")))).toBe(
      "unresolvable",
    );
    expect(await classifyAddress("http://app.localhost:3000/", to("93.184.216.34"))).toBe("private");
    expect(await classifyAddress("http://0x7f000001/", to())).toBe("private");
    expect(await classifyAddress("http://8.8.8.8/", to())).toBe("public");
    await expect(classifyAddress("file:///etc/passwd", to())).rejects.toMatchObject({ code: "invalid-url" });
  });
});
