import { createSecretKey } from "node:crypto";
import { expect, test } from "vitest";
import { signComponents, verifyComponents } from "./signature";

// RFC 9421, B.2.5: signing a request using hmac-sha256, with the shared secret of B.1.5.
const key = {
  id: "test-shared-secret",
  secret: createSecretKey(
    Buffer.from("uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==", "base64"),
  ),
};
const components = {
  date: "Tue, 20 Apr 2021 02:07:55 GMT",
  "@authority": "example.com",
  "content-type": "application/json",
};
const published = {
  signature: "sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:",
  "signature-input": 'sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
};

test("the RFC's hmac-sha256 vector is signed to the byte", async () => {
  const signed = await signComponents({
    key,
    label: "sig-b25",
    components,
    params: { created: new Date(1618884473_000) },
  });
  expect(signed).toEqual(published);
});

test("the RFC's hmac-sha256 vector verifies, and no longer does with one byte changed", async () => {
  const verify = (values: Record<string, string>) =>
    verifyComponents({ headers: published, components: values, findKey: () => key });
  expect(await verify(components)).toMatchObject({
    authentic: true,
    covered: ["date", "@authority", "content-type"],
    params: { keyid: "test-shared-secret" },
  });
  expect((await verify({ ...components, "@authority": "example.org" })).authentic).toBe(false);
});
