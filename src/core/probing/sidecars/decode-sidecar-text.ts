import { encodingOfByteOrderMark } from '../../platform/files/index.ts'

/**
 * Decodes a small file. The encoding comes from the byte order mark, else from the XML declaration, else UTF-8 if valid, else
 * Windows-1252 (the practical meaning of `latin1`; it accepts every byte). The mark is removed. Never throws.
 */
export function decodeSidecarText(bytes: Uint8Array): string {
  const marked = encodingOfByteOrderMark(bytes) ?? wideEncoding(bytes)
  if (marked !== undefined) return decode(bytes, marked, false)
  const declared = /^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(
    asciiOf(bytes.subarray(0, 200)),
  )?.[1]
  // Declared UTF encodings are not trusted: invalid UTF-8 must not fail, and UTF-16 in single bytes is a wrong declaration.
  if (declared !== undefined && !/^utf/i.test(declared)) {
    try {
      return decode(bytes, declared, false)
    } catch {
      // Unknown encoding.
    }
  }
  try {
    return decode(bytes, 'utf-8', true)
  } catch {
    return decode(bytes, 'windows-1252', false)
  }
}

/** A `<` in two bytes: UTF-16 without a byte order mark. */
function wideEncoding([first, second]: Uint8Array): string | undefined {
  if (first === 0x3c && second === 0) return 'utf-16le'
  return first === 0 && second === 0x3c ? 'utf-16be' : undefined
}

function decode(bytes: Uint8Array, encoding: string, isFatal: boolean): string {
  return new TextDecoder(encoding, { fatal: isFatal }).decode(bytes)
}

function asciiOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}
