/** Length limit of a value: dates, numbers, flags. */
const MAX_VALUE_LENGTH = 100

/**
 * Returns a property of an XMP packet, written as an attribute (`xmp:CreateDate="…"`) or as an element
 * (`<xmp:CreateDate>…</xmp:CreateDate>`). Names include their usual prefix. Undefined if it is missing or too long. An XML parser, with
 * its attack surface, is not needed for a few values.
 */
export function readXmpValue(packet: string, name: string): string | undefined {
  for (let at = packet.indexOf(name); at >= 0; at = packet.indexOf(name, at + 1)) {
    const rest = packet.slice(at + name.length, at + name.length + MAX_VALUE_LENGTH + 10)
    const match = /^\s{0,5}=\s{0,5}(?:"([^"<]{1,100})"|'([^'<]{1,100})')|^>([^<>]{1,100})</.exec(rest)
    if (match !== null) return (match[1] ?? match[2] ?? match[3] ?? '').trim()
  }
  return undefined
}

const VIDEO_ITEM = /Item:Semantic\s{0,5}=\s{0,5}["']MotionPhoto["']/

/**
 * Returns the length in bytes of a motion photo's video at the end of the file: `GCamera:MicroVideoOffset` in Google's first format, the
 * length of the item `MotionPhoto` in the second (https://developer.android.com/media/platform/motion-photo-format). Null for other
 * photos.
 */
export function readMotionVideoLength(packet: string): number | null {
  const first = wholeNumber(readXmpValue(packet, 'GCamera:MicroVideoOffset'))
  if (first !== null) return first
  const item = VIDEO_ITEM.exec(packet)
  if (item === null) return null
  const start = packet.lastIndexOf('<', item.index)
  const end = packet.indexOf('>', item.index)
  return start < 0 || end < 0 ? null : wholeNumber(readXmpValue(packet.slice(start, end), 'Item:Length'))
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) && Number(text) > 0 ? Number(text) : null
}
