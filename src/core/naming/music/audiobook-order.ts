import { audiobookDiscNumber, parseAudiobookFile } from './audiobook-path.ts'
import { compareNaturally } from '../text/natural-order.ts'

/** A file of an audiobook with its disc and track tags. */
export type AudiobookFile = { path: string; discTag: number | null; trackTag: number | null }

/**
 * The files of one book in playing order: by disc tag (or disc folder), track tag, the numbers in the names, and then by name. A tag is
 * used only if every file has it, because gaps would break the order.
 */
export function orderAudiobookFiles<File extends AudiobookFile>(files: readonly File[]): File[] {
  const keys: ((file: File) => number | null)[] = [
    ({ discTag, path }) => discTag ?? audiobookDiscNumber(path),
    ({ trackTag }) => trackTag,
    ({ path }) => parseAudiobookFile(nameOf(path)).part,
    ({ path }) => parseAudiobookFile(nameOf(path)).chapter,
  ]
  const columns = keys.map((key) => files.map(key)).filter((column) => column.every((value) => value !== null))
  return files
    .map((file, at) => ({ file, numbers: columns.map((column) => column[at] ?? 0) }))
    .toSorted(
      (one, other) => compareNumbers(one.numbers, other.numbers) || compareNaturally(one.file.path, other.file.path),
    )
    .map(({ file }) => file)
}

function compareNumbers(one: number[], other: number[]): number {
  return one.map((value, at) => value - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
