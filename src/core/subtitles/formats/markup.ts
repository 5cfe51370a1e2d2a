import type { CuePiece, CueTag } from './cue-text.ts'

/** A tag of SubRip or WebVTT, a timestamp inside a cue (karaoke), a SubStation override block, or an entity. */
const MARKUP =
  /<(\/?)([a-z]{1,8})((?:[.\s][^<>]{0,300})?)>|<(?:\d{1,4}:)?\d{2}:\d{2}\.\d{3}>|\{\\[^{}]{0,300}\}|&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,4});/giu

const KEPT: ReadonlySet<string> = new Set<CueTag>(['b', 'i', 'u', 'ruby', 'rt', 'v'])

/** Presentational tags. They are removed and their content is kept. Any other word in angle brackets is text. */
const DROPPED: ReadonlySet<string> = new Set(['c', 'lang', 'font', 's', 'strike', 'span', 'p', 'div', 'br', 'center'])

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00A0'],
  ['lrm', '\u200E'],
  ['rlm', '\u200F'],
])

/**
 * Splits the text of a SubRip or WebVTT cue into pieces. Bold, italic, underline, ruby and speaker names are kept. Colours, fonts,
 * classes and inner timestamps are dropped. Anything that only resembles a tag is text. Reads each character once.
 */
export function* readMarkup(text: string): Generator<CuePiece> {
  let end = 0
  for (const match of text.matchAll(MARKUP)) {
    const piece = pieceOf(match)
    if (piece === undefined) continue
    if (match.index > end) yield { kind: 'text', text: text.slice(end, match.index) }
    if (piece !== null) yield piece
    end = match.index + match[0].length
  }
  yield { kind: 'text', text: text.slice(end) }
}

/** Returns null for dropped markup, and undefined for text that only resembles markup. */
function pieceOf([whole, slash, name, attributes = '', entity]: RegExpExecArray): CuePiece | null | undefined {
  if (entity !== undefined) return entityPiece(entity.toLowerCase())
  const tag = name?.toLowerCase()
  if (tag === undefined) return null
  if (tag === 'br') return { kind: 'text', text: '\n' }
  if (DROPPED.has(tag)) return null
  if (!KEPT.has(tag) || whole.length > 300) return undefined
  if (slash === '/') return { kind: 'close', tag: tag as CueTag }
  const annotation = tag === 'v' ? /\s(.*)$/su.exec(attributes)?.[1] : undefined
  return { kind: 'open', tag: tag as CueTag, ...(annotation !== undefined && { annotation }) }
}

function entityPiece(entity: string): CuePiece | undefined {
  const named = ENTITIES.get(entity)
  if (named !== undefined) return { kind: 'text', text: named }
  if (!entity.startsWith('#')) return undefined
  const code = entity.startsWith('#x') ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1))
  return code <= 0x10_ff_ff ? { kind: 'text', text: String.fromCodePoint(code) } : undefined
}
