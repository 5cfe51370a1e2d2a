import { countedNumbers, nameEpisode, readEpisodePath, type EpisodeName, type EpisodePath } from './episode-name.ts'
import { foldTitle } from './fold-title.ts'
import { countsThrough } from './numbered-run.ts'

/**
 * What the paths of the episodes in one folder, relative to the library folder, say about them. As `parseEpisodePath`, but numbers that
 * may count through all seasons (`Show - 135`) are judged by all of their neighbours together.
 */
export function parseEpisodeFolder(paths: readonly string[]): Map<string, EpisodeName> {
  const read = new Map(paths.map((path) => [path, readEpisodePath(path)]))
  const through = new Map(
    [...Map.groupBy(read.values(), seriesOf)].map(([series, members]) => [
      series,
      countsThrough(members.flatMap(countedNumbers)),
    ]),
  )
  return new Map([...read].map(([path, one]) => [path, nameEpisode(one, through.get(seriesOf(one)) ?? false)]))
}

function seriesOf({ reading }: EpisodePath): string {
  return foldTitle(reading.seriesName ?? '')
}
