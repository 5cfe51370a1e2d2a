import t from 'tap'
import { parseEpisodeFolder } from '../../../../src/core/naming/index.ts'

const numbersFrom = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => String(first + at).padStart(3, '0'))

/** Season, episode and absolute number of the last of some files. */
function lastOf(folder: string, names: readonly string[]): (number | null | undefined)[] {
  const last = [...parseEpisodeFolder(names.map((name) => `${folder}/${name}.mkv`)).values()].at(-1)
  return [last?.seasonNumber, last?.episodeNumber, last?.absoluteNumber]
}

const run = (first: number, last: number): string[] => numbersFrom(first, last).map((number) => `Show - ${number}`)

const FOLDERS: [claim: string, folder: string, names: string[], last: (number | null)[]][] = [
  ['a run from 001 counts through', 'Show', run(1, 135), [null, 135, 135]],
  ['below a season folder too', 'Show/Season 1', run(1, 135), [1, 135, 135]],
  ['a run that crosses a hundred', 'Show', run(98, 104), [null, 104, 104]],
  ['a number that no season reaches', 'Show', ['Show.117', 'Show.155'], [null, 155, 155]],
  ['a season that would begin in its middle', 'Show', run(128, 134), [null, 134, 134]],
  ['numbers of another season than the folder', 'Show/Season 2', ['Show - 112', 'Show - 113'], [2, 113, 113]],
  ['one name of a group', 'Show', ['[Grp] Show - 116', 'Show - 117'], [null, 117, 117]],
  ['a number behind a dash that hardly is one of a season', 'Show', ['Show - 135'], [null, 135, 135]],
  ['a season', 'Show', run(101, 113), [1, 13, 113]],
  ['two seasons', 'Show', [...run(101, 122), ...run(201, 222)], [2, 22, 222]],
  ['two seasons with specials', 'Show', [...run(1, 2), ...run(101, 113), ...run(201, 213)], [2, 13, 213]],
  ['a season in its folder', 'Show/Season 3', run(301, 313), [3, 13, null]],
  ['the last episodes of a season', 'Show', ['Show.317.hdtv', 'Show.318.hdtv'], [3, 18, 318]],
  ['one number', 'Show', ['Show 360'], [3, 60, 360]],
  ['the numbers of another series beside it', 'Show', [...run(1, 135), 'Other.117'], [1, 17, 117]],
]

void t.test('all names of a folder decide whether numbers of three digits are absolute', (t) => {
  for (const [claim, folder, names, expected] of FOLDERS) t.strictSame(lastOf(folder, names), expected, claim)
  t.strictSame([...parseEpisodeFolder([])], [])
  t.end()
})
