import { audiobookDiscOf, parseAudiobookFile } from './audiobook-path.ts'
import { compareNaturally } from './natural-order.ts'

/** A file of an audiobook with what its tags say. */
export type AudiobookFile = { path: string; discTag: number | null; trackTag: number | null }

/**
 * The files of one book in the order in which they are heard: by the disc's tag (or its folder), the track's tag, the numbers in
 * the names, and at last by name. A tag counts only where every file has it, for a gap would tear the order.
 * Source: design, scanning 3.
 */
export function orderAudiobookFiles<File extends AudiobookFile>(files: readonly File[]): File[] {
  const keys: ((file: File) => number | null)[] = [
    ({ discTag, path }) => discTag ?? audiobookDiscOf(path),
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
