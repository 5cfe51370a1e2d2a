import { MAX_CUE_CHARACTERS } from './cue.ts'

/** A part of a cue's text: visible characters, or a tag. */
export type CuePiece =
  | { kind: 'text'; text: string }
  | { kind: 'open'; tag: CueTag; annotation?: string }
  | { kind: 'close'; tag: CueTag }

/** The WebVTT tags that have a meaning without a style sheet (W3C WebVTT, 4.2.2). */
export type CueTag = 'b' | 'i' | 'u' | 'ruby' | 'rt' | 'v'

/**
 * Serialises pieces as WebVTT cue text. Markup characters are escaped, so that `-->` cannot end a cue. Tags are closed in reverse order
 * of opening. Empty lines, which would end the cue, are removed. The result is empty if nothing is visible.
 */
export function writeCueText(pieces: Iterable<CuePiece>): string {
  const open: CueTag[] = []
  let written = ''
  for (const piece of pieces) {
    if (written.length > MAX_CUE_CHARACTERS) break
    if (piece.kind === 'text') written += escapeText(piece.text.slice(0, MAX_CUE_CHARACTERS))
    else if (piece.kind === 'open') written += openTag(open, piece)
    else written += closeTag(open, piece.tag)
  }
  const closed =
    written +
    open
      .toReversed()
      .map((tag) => `</${tag}>`)
      .join('')
  return isBlank(closed) ? '' : withoutEmptyLines(closed)
}

function openTag(open: CueTag[], { tag, annotation = '' }: { tag: CueTag; annotation?: string }): string {
  if (open.includes(tag) || open.length > 20) return ''
  open.push(tag)
  const name = escapeText(annotation.replace(/\s+/g, ' ').trim())
  return name === '' ? `<${tag}>` : `<${tag} ${name}>`
}

function closeTag(open: CueTag[], tag: CueTag): string {
  const at = open.lastIndexOf(tag)
  if (at === -1) return ''
  const inner = open.splice(at)
  // Tags opened inside the closed tag are opened again after it.
  const again = inner.slice(1)
  open.push(...again)
  return `${inner
    .toReversed()
    .map((name) => `</${name}>`)
    .join('')}${again.map((name) => `<${name}>`).join('')}`
}

function escapeText(text: string): string {
  const plain = text.toWellFormed().replace(CONTROLS, '')
  return plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

// oxlint-disable-next-line no-control-regex -- control characters are what is removed here
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFEFF]/g

function isBlank(text: string): boolean {
  return text.replace(/<[^>]*>/g, '').trim() === ''
}

function withoutEmptyLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}
