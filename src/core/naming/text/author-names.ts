import { normalizeName } from './name-text.ts'

const SUFFIX = /^(?:jr|sr|ii|iii|iv|phd|ph\.? ?d|md|m\.? ?d|esq)\.?$/i
const PARTICLE = /^(?:le|la|de|del|della|der|den|du|van|von|st\.?|mc|mac|o'|al|el|ter|ten|di|da)$/i

/**
 * Splits a text into the names of authors or readers: separated by `&`, `and`, `;` or commas, each as `First Last`. A comma after a
 * single last name inverts it (`Smith, John`). Duplicates are removed. Verified with test rows of Audiobookshelf's parseNameString.
 */
export function splitAuthorNames(text: string): string[] {
  const groups = normalizeName(text).split(/;|&| and (?=\S)/i)
  const names = groups.flatMap((group) => namesOf(group.split(',')))
  return [...new Set(names)]
}

/** Names between commas: `Last, First` are two pieces, and `John Smith, Jr.` is one name. */
function namesOf(pieces: string[]): string[] {
  const parts: string[] = []
  for (const piece of pieces.map((piece) => piece.trim().replaceAll(/\s+/g, ' ')).filter((piece) => piece !== '')) {
    const last = parts.at(-1)
    if (last !== undefined && SUFFIX.test(piece)) parts[parts.length - 1] = `${last} ${piece}`
    else parts.push(piece)
  }
  const [first] = parts
  if (parts.length < 2 || first === undefined || !isLastName(first)) return parts
  const names: string[] = []
  for (let at = 0; at < parts.length; at += 2) names.push([parts[at + 1], parts[at]].filter(Boolean).join(' '))
  return names
}

/** A single word, or one after particles (`Le Guin`, `van der Berg`). */
function isLastName(piece: string): boolean {
  const words = piece.split(' ')
  return words.slice(0, -1).every((word) => PARTICLE.test(word))
}
