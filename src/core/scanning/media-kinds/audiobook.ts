import { hash } from 'node:crypto'
import {
  audiobookDiscNumber,
  findAudiobookFolder,
  foldTitle,
  parseAudiobookPath,
  parseTrackName,
  sortTitle,
} from '../../naming/index.ts'
import { mediaFileKind } from '../../platform/files/index.ts'
import type { FileFacts, LocalMetadata } from '../../probing/index.ts'
import { audiobookCompanions, audiobookSidecars } from './audiobook-sidecars.ts'
import {
  chaptersFromSidecars,
  chapterMarksFromSidecars,
  mergeAudiobookFacts,
  audiobookFactsFromPath,
  audiobookFactsFromTags,
} from './audiobook-facts.ts'
import { withoutEmptyFields } from './without-empty-fields.ts'
import type {
  FileDescription,
  FolderContents,
  ItemGroup,
  Identification,
  MediaKind,
  PlannedFile,
} from './media-kind.ts'

const MAX_KEY_LENGTH = 500

/**
 * Audiobooks: a folder is a book, and in the library folder every file is one. A single file is an item; several files are parts of a
 * group, which is the book. Disc folders (`CD 1`) belong to the folder above. Facts come from sidecars, then tags, then names.
 */
export const audiobookKind: MediaKind = {
  fileKinds: ['audio', 'photo', 'sidecar'],
  planFolder(folder) {
    const audio = folder.names.filter((name) => mediaFileKind(name) === 'audio')
    const book = bookOf(folder, audio)
    const files = new Map<string, PlannedFile>()
    for (const name of audio) files.set(name, book === null ? single(folder, name) : part(name, book))
    return { files, companions: audiobookCompanions(folder, audio, book !== null), group: book }
  },
  describe(planned, facts, local) {
    return planned.role === null ? describeBook(planned, facts, local) : describePart(planned, facts)
  },
  describeGroup(group, local) {
    const { title, year, metadata } = mergeAudiobookFacts({}, local)
    const name = title ?? group.name
    return {
      name,
      sortTitle: sortTitle(name),
      year: year ?? group.year,
      nameSource: sourceOf(title),
      localMetadata: { ...metadata, ...chapterMarksFromSidecars(local) },
    }
  },
}

/** Describes a single-file book. */
function describeBook(
  { identification }: PlannedFile,
  facts: FileFacts | null,
  local: readonly LocalMetadata[],
): FileDescription {
  const tags = facts?.tags ?? null
  const { title: said, year, metadata } = mergeAudiobookFacts(tags === null ? {} : audiobookFactsFromTags(tags), local)
  const title = said ?? tags?.title ?? null
  const name = title ?? identification.name
  return {
    identification: { ...identification, name, sortTitle: sortTitle(name), year: year ?? identification.year },
    groups: [],
    nameSource: sourceOf(title),
    localMetadata: metadata,
    ...chaptersFromSidecars(local, facts?.media?.durationSeconds ?? null),
  }
}

/** Describes a part of a book. Its tags are stored with the part until the book is assembled. */
function describePart({ identification, groups }: PlannedFile, facts: FileFacts | null): FileDescription {
  const tags = facts?.tags ?? null
  if (tags === null) return { identification, groups, nameSource: 'file', localMetadata: {} }
  const name = tags.title ?? identification.name
  return {
    identification: { ...identification, name, sortTitle: sortTitle(name), year: tags.year ?? identification.year },
    groups,
    nameSource: sourceOf(tags.title),
    localMetadata: withoutEmptyFields({
      ...audiobookFactsFromTags(tags),
      track_number: tags.trackNumber,
      disc_number: tags.discNumber,
    }),
  }
}

function sourceOf(title: string | null): 'local' | 'file' {
  return title === null ? 'file' : 'local'
}

/** Returns the group of a folder's files if they are parts of one book. A folder that contains only disc folders is also a book. */
function bookOf({ pathInsideRoot }: FolderContents, audio: readonly string[]): ItemGroup | null {
  if (pathInsideRoot === '') return null
  const path = `${pathInsideRoot}/x`
  if (audio.length === 1 && audiobookDiscNumber(path) === null) return null
  return audiobookGroup(pathInsideRoot)
}

/** Returns the book of a folder as a group, for one or several files. */
export function audiobookGroup(pathInsideRoot: string): ItemGroup {
  const place = findAudiobookFolder(`${pathInsideRoot}/x`)
  const { type, ...names } = identify(place)
  return { type, key: keyOf(place), ...names }
}

/** Returns the folded path as the key, hashed if it is too long for an index. */
function keyOf(place: string): string {
  const key = place.split('/').map(foldTitle).join('/')
  return key.length <= MAX_KEY_LENGTH ? key : hash('sha256', key)
}

function single({ pathInsideRoot, names }: FolderContents, name: string): PlannedFile {
  const path = pathInsideRoot === '' ? name : `${pathInsideRoot}/${name}`
  const identification = identify(findAudiobookFolder(path))
  return {
    as: 'audiobook',
    identification,
    groups: [],
    role: null,
    sidecars: audiobookSidecars(names, pathInsideRoot === '' ? name : null),
  }
}

function part(name: string, book: ItemGroup): PlannedFile {
  const { title } = parseTrackName(name)
  return {
    as: 'audiobook',
    identification: {
      type: 'audiobook',
      name: title,
      sortTitle: sortTitle(title),
      year: book.year,
      metadata: { title },
    },
    groups: [book],
    role: { kind: 'part', of: 'group', label: null, order: null },
    sidecars: [],
  }
}

function identify(place: string): Identification {
  const named = parseAudiobookPath(place)
  const { title, year } = named
  return { type: 'audiobook', name: title, sortTitle: sortTitle(title), year, metadata: audiobookFactsFromPath(named) }
}
