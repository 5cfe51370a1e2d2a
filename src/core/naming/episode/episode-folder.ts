import {
  absoluteNumberingCandidates,
  buildEpisodeName,
  parseRawEpisodePath,
  type EpisodeName,
  type EpisodePath,
} from './episode-name.ts'
import { foldTitle } from '../text/fold-title.ts'
import { isAbsoluteNumbering } from '../numbering/is-absolute-numbering.ts'

/**
 * Parses the paths of the episodes in one folder, relative to the library folder. Like `parseEpisodePath`, but numbers that may be
 * absolute (`Show - 135`) are interpreted by the numbers of all files of the folder.
 */
export function parseEpisodeFolder(paths: readonly string[]): Map<string, EpisodeName> {
  const read = new Map(paths.map((path) => [path, parseRawEpisodePath(path)]))
  const through = new Map(
    [...Map.groupBy(read.values(), seriesOf)].map(([series, members]) => [
      series,
      isAbsoluteNumbering(members.flatMap(absoluteNumberingCandidates)),
    ]),
  )
  return new Map([...read].map(([path, one]) => [path, buildEpisodeName(one, through.get(seriesOf(one)) ?? false)]))
}

function seriesOf({ reading }: EpisodePath): string {
  return foldTitle(reading.seriesName ?? '')
}
