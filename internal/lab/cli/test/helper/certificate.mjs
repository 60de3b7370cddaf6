/**
 * A self-signed certificate for 127.0.0.1. It is generated for each run, so that the repository contains neither a
 * private key nor a certificate that expires. The format is DER (RFC 5280), with only the fields that TLS requires.
 */

import { generateKeyPairSync, sign } from "node:crypto";

/**
 * @param {number} tag
 * @param {...Buffer} parts
 */
function der(tag, ...parts) {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const SEQUENCE = 0x30;
const SET = 0x31;
const COMMON_NAME = Buffer.from("0603550403", "hex");
const SUBJECT_ALT_NAME = Buffer.from("0603551d11", "hex");
const ECDSA_WITH_SHA256 = der(SEQUENCE, Buffer.from("06082a8648ce3d040302", "hex"));

/** @param {Date} date */
function utcTime(date) {
  return der(0x17, Buffer.from(date.toISOString().replace(/^..|[-:T]|\..*/g, "") + "Z"));
}

/** @returns {{key: string, cert: string}} both in PEM */
export function newCertificate() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from("127.0.0.1")))));
  const address = der(SEQUENCE, der(0x87, Buffer.from([127, 0, 0, 1])));
  const day = 86_400_000;
  const body = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.from([1])), // serial number
    ECDSA_WITH_SHA256,
    name,
    der(SEQUENCE, utcTime(new Date(Date.now() - day)), utcTime(new Date(Date.now() + day))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(SEQUENCE, der(SEQUENCE, SUBJECT_ALT_NAME, der(0x04, address)))),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", body, privateKey));
  const text = der(SEQUENCE, body, ECDSA_WITH_SHA256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text.replace(/(.{64})/g, "$1\n")}\n-----END CERTIFICATE-----\n`,
  };
}
