import { paragraphsOf } from '../postgres-safe-text.ts'
import { resolveEntities } from './read-xml.ts'

/**
 * A description as plain text: Calibre and book shops write HTML. Breaks and ends of blocks become line feeds, other tags go; text
 * without tags stays as it is. Null when nothing is left.
 */
export function plainTextOf(value: unknown): string | null {
  const text = paragraphsOf(value)
  if (text === null || !/<\/?[a-z][^<>]{0,500}>/i.test(text)) return text
  const bare = text
    .replaceAll(/<br\s{0,5}\/?>|<\/(?:p|div|li|h[1-6])>/gi, '\n')
    .replaceAll(/<\/?[a-z][^<>]{0,500}>/gi, '')
    .replaceAll(/[ \t]*\n[ \t]*/g, '\n')
  return paragraphsOf(resolveEntities(bare))
}
