/** Signatures at fixed offsets, the most specific first. Sources: the specifications of the formats. */
const SIGNATURES: readonly { at: number; text: string; mime: string; also?: { at: number; text: string } }[] = [
  { at: 0, text: 'fLaC', mime: 'audio/flac' },
  { at: 0, text: 'OggS', mime: 'audio/ogg' },
  { at: 4, text: 'ftyp', mime: 'audio/mp4' },
  { at: 0, text: 'RIFF', mime: 'audio/wav', also: { at: 8, text: 'WAVE' } },
  { at: 0, text: 'FORM', mime: 'audio/aiff', also: { at: 8, text: 'AIF' } },
  { at: 0, text: 'MAC ', mime: 'audio/ape' },
  { at: 0, text: 'wvpk', mime: 'audio/wavpack' },
  { at: 0, text: 'MPCK', mime: 'audio/musepack' },
  { at: 0, text: 'MP+', mime: 'audio/musepack' },
  { at: 0, text: 'DSD ', mime: 'audio/dsf' },
  { at: 0, text: 'FRM8', mime: 'audio/dsd' },
  { at: 0, text: '\u0030\u0026\u00B2\u0075', mime: 'audio/ms-asf' },
  { at: 0, text: '\u001A\u0045\u00DF\u00A3', mime: 'audio/matroska' },
]

/** Formats that may follow an ID3 tag; only the extension distinguishes them. */
const AFTER_ID3: ReadonlyMap<string, string> = new Map([
  ['flac', 'audio/flac'],
  ['ape', 'audio/ape'],
  ['mpc', 'audio/musepack'],
  ['wv', 'audio/wavpack'],
])

const MPEG_NAMES = new Set(['mp3', 'mp2', 'mpga', 'aac', 'm2a'])

/**
 * Detects the format of an audio file from its first 16 bytes. The extension (lower case, no dot) is used only if they are ambiguous:
 * after an ID3 tag, and for MPEG audio with leading garbage. Undefined if it is not audio.
 */
export function detectAudioFormat(head: Uint8Array, extension: string): string | undefined {
  const text = Buffer.from(head).toString('latin1')
  const signature = SIGNATURES.find(
    ({ at, text: mark, also }) =>
      text.startsWith(mark, at) && (also === undefined || text.startsWith(also.text, also.at)),
  )
  if (signature !== undefined) return signature.mime
  if (text.startsWith('ID3')) return AFTER_ID3.get(extension) ?? 'audio/mpeg'
  const startsWithSync = head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0
  return startsWithSync || MPEG_NAMES.has(extension) ? 'audio/mpeg' : undefined
}
