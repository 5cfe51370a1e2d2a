import { compareNaturally } from '../../naming/index.ts'
import { normalizeStem, fileStem } from './file-stem.ts'
import type { CompanionFile, CompanionKind } from './media-kind.ts'

type PictureKind = Exclude<CompanionKind, 'subtitle' | 'lyrics' | 'nfo'>

type Picture = { kind: PictureKind; rank: number }

/** Words that identify the kind of a picture. A lower rank is preferred (Kodi's names). */
const WORDS: ReadonlyMap<string, Picture> = new Map([
  ['poster', { kind: 'poster', rank: 0 }],
  ['cover', { kind: 'poster', rank: 1 }],
  ['folder', { kind: 'poster', rank: 2 }],
  ['movie', { kind: 'poster', rank: 3 }],
  ['show', { kind: 'poster', rank: 3 }],
  ['default', { kind: 'poster', rank: 4 }],
  ['fanart', { kind: 'backdrop', rank: 0 }],
  ['backdrop', { kind: 'backdrop', rank: 0 }],
  ['background', { kind: 'backdrop', rank: 0 }],
  ['clearlogo', { kind: 'logo', rank: 0 }],
  ['logo', { kind: 'logo', rank: 1 }],
  ['banner', { kind: 'banner', rank: 0 }],
  ['landscape', { kind: 'thumb', rank: 0 }],
  ['thumb', { kind: 'thumb', rank: 1 }],
  ['discart', { kind: 'disc', rank: 0 }],
  ['disc', { kind: 'disc', rank: 1 }],
])

/** Rank of a picture named after its file without a further word. */
const PLAIN_RANK = 9

export type PictureOwners = {
  pictures: readonly string[]
  /** Media files by their folded stems. */
  files: ReadonlyMap<string, string>
  /** Owner of the folder's pictures such as `poster.jpg`; undefined if it cannot be determined. */
  folder: CompanionFile['of'] | undefined
  folderName: string
  /** Kind of a picture that is named after a file. */
  plain: 'poster' | 'thumb'
  /** Additional names in this kind of library: `season01-poster`. */
  special?: (stem: string) => { of: CompanionFile['of']; word: string } | undefined
}

/**
 * Returns the pictures of a folder with kind and owner: `poster.jpg` and `fanart2.jpg` belong to the folder's owner, `<file>-poster.jpg`
 * and `<file>.jpg` to a file. Each owner gets one picture of each kind, the one with the lowest rank, and all backdrops.
 */
export function companionPictures(places: PictureOwners): CompanionFile[] {
  const pictures = places.pictures.toSorted(compareNaturally).flatMap((name) => {
    const picture = identify(normalizeStem(fileStem(name)), places)
    return picture === undefined ? [] : [{ name, ...picture }]
  })
  const best = new Map<string, (typeof pictures)[number]>()
  for (const picture of pictures) {
    const place = [picture.kind, JSON.stringify(picture.of), picture.kind === 'backdrop' ? picture.name : ''].join('\0')
    if ((best.get(place)?.rank ?? Number.POSITIVE_INFINITY) > picture.rank) best.set(place, picture)
  }
  return [...best.values()].map(({ name, kind, of }) => ({ name, kind, of, details: {} }))
}

function identify(stem: string, { files, folder, folderName, plain, special }: PictureOwners): Owned | undefined {
  const own = files.get(stem)
  if (own !== undefined) return { kind: plain, rank: PLAIN_RANK, of: own }
  const known = special?.(stem)
  if (known !== undefined) return owned(known.word, known.of)
  const ofFolder = owned(stem, folder)
  if (ofFolder !== undefined) return ofFolder
  const dash = stem.replace(/-?\d{1,2}$/, '').lastIndexOf('-')
  if (dash <= 0) return undefined
  const [before, word] = [stem.slice(0, dash), stem.slice(dash + 1)]
  return owned(word, files.get(before) ?? (before === normalizeStem(folderName) ? folder : undefined))
}

type Owned = Picture & { of: CompanionFile['of'] }

function owned(word: string, of: CompanionFile['of'] | undefined): Owned | undefined {
  const exact = WORDS.get(word)
  const numbered = exact ?? WORDS.get(word.replace(/-?\d{1,2}$/, ''))
  const picture = exact ?? (numbered?.kind === 'backdrop' ? numbered : undefined)
  return picture === undefined || of === undefined ? undefined : { ...picture, of }
}
