import { plainName } from './name-text.ts'

const SUFFIX = /^(?:jr|sr|ii|iii|iv|phd|ph\.? ?d|md|m\.? ?d|esq)\.?$/i
const PARTICLE = /^(?:le|la|de|del|della|der|den|du|van|von|st\.?|mc|mac|o'|al|el|ter|ten|di|da)$/i

/**
 * The names of the authors or readers in one text: separated by `&`, `and`, `;` or commas, each in the order in which it is
 * spoken. A comma turns a name round where a lonely last name stands before it (`Smith, John`). Names repeat only once.
 * Source: design, scanning 3; rows of Audiobookshelf's parseNameString.
 */
export function splitAuthorNames(text: string): string[] {
  const groups = plainName(text).split(/;|&| and (?=\S)/i)
  const names = groups.flatMap((group) => namesOf(group.split(',')))
  return [...new Set(names)]
}

/** Names between commas, where `Last, First` are two pieces and `John Smith, Jr.` is one name. */
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

/** A single word, or one behind particles (`Le Guin`, `van der Berg`). */
function isLastName(piece: string): boolean {
  const words = piece.split(' ')
  return words.slice(0, -1).every((word) => PARTICLE.test(word))
}
