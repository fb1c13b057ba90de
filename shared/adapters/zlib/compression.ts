import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import type { Compression } from "#ports/compression";
import { PortFault } from "#ports/fault";

const pack = promisify(brotliCompress);
const unpack = promisify(brotliDecompress);

/** Beyond this the columns of a thousand pods win little and cost a multiple of the time. */
const QUALITY = 5;
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** Brotli, off the main thread. */
export const brotli: Compression = {
  async compress(text) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
    return (await pack(text, { params })).toString("base64");
  },
  async decompress(packed) {
    try {
      return (await unpack(Buffer.from(packed, "base64"), { maxOutputLength: MAX_TEXT_BYTES })).toString(
        "utf8",
      );
    } catch (cause) {
      const told = cause instanceof Error ? cause.message : String(cause);
      throw new PortFault("invalid", `decompress a text: ${told}`, { cause });
    }
  },
};
