const MARK = 'Apple iOS\0'
const HEADER_BYTES = 14
const CONTENT_IDENTIFIER = 0x0011
const ASCII = 2
const MAX_ENTRIES = 200

/**
 * Returns Apple's content identifier, which the picture and the video of a live photo share. It is tag 17 of the maker note. The note is
 * big-endian, and its offsets are relative to the note. Null for other cameras and broken notes.
 */
export function readContentIdentifier(makerNote: unknown): string | null {
  if (!(makerNote instanceof Uint8Array)) return null
  const note = Buffer.from(makerNote.buffer, makerNote.byteOffset, makerNote.byteLength)
  if (note.length < HEADER_BYTES + 2 || note.toString('latin1', 0, MARK.length) !== MARK) return null
  const entries = Math.min(note.readUInt16BE(HEADER_BYTES), MAX_ENTRIES)
  for (let index = 0; index < entries; index += 1) {
    const at = HEADER_BYTES + 2 + index * 12
    if (at + 12 > note.length) return null
    if (note.readUInt16BE(at) !== CONTENT_IDENTIFIER || note.readUInt16BE(at + 2) !== ASCII) continue
    const [length, offset] = [note.readUInt32BE(at + 4), note.readUInt32BE(at + 8)]
    const text = note.toString('latin1', offset, Math.min(offset + length, offset + 64))
    return /^[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}(?=\0|$)/i.exec(text)?.[0].toUpperCase() ?? null
  }
  return null
}
