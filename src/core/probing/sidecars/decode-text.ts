/**
 * The text of a small file in whatever encoding it has: by its byte order mark, by what its XML declaration says, as UTF-8, else as
 * Windows-1252 (what `latin1` means in practice; it accepts every byte). The mark itself is left out. Never throws.
 */
export function decodeText(bytes: Uint8Array): string {
  const marked = markOf(bytes)
  if (marked !== undefined) return decode(bytes, marked, false)
  const declared = /^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(
    asciiOf(bytes.subarray(0, 200)),
  )?.[1]
  // What declares UTF-8 but is not shall not fail for it, and what declares UTF-16 in single bytes lies.
  if (declared !== undefined && !/^utf/i.test(declared)) {
    try {
      return decode(bytes, declared, false)
    } catch {
      // No such encoding.
    }
  }
  try {
    return decode(bytes, 'utf-8', true)
  } catch {
    return decode(bytes, 'windows-1252', false)
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // A `<` in two bytes: UTF-16 whose mark is missing.
  if (first === 0x3c && second === 0) return 'utf-16le'
  return first === 0 && second === 0x3c ? 'utf-16be' : undefined
}

function decode(bytes: Uint8Array, encoding: string, isFatal: boolean): string {
  return new TextDecoder(encoding, { fatal: isFatal }).decode(bytes)
}

function asciiOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}
