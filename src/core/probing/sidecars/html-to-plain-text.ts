import { cleanParagraphs } from '../untrusted-values.ts'
import { decodeXmlEntities } from '../../platform/xml/index.ts'

/**
 * Converts a description to plain text: Calibre and book shops write HTML. Breaks and block ends become line feeds, other tags are
 * removed; text without tags is unchanged. Null if nothing remains.
 */
export function htmlToPlainText(value: unknown): string | null {
  const text = cleanParagraphs(value)
  if (text === null || !/<\/?[a-z][^<>]{0,500}>/i.test(text)) return text
  const bare = text
    .replaceAll(/<br\s{0,5}\/?>|<\/(?:p|div|li|h[1-6])>/gi, '\n')
    .replaceAll(/<\/?[a-z][^<>]{0,500}>/gi, '')
    .replaceAll(/[ \t]*\n[ \t]*/g, '\n')
  return cleanParagraphs(decodeXmlEntities(bare))
}
