import { sortTitle, type EpisodeName } from '../../naming/index.ts'
import type { LocalMetadata } from '../../probing/index.ts'
import { describeVideo } from './describe-video.ts'
import { fileStem } from './file-stem.ts'
import type { FileDescription, ItemGroup, Identification } from './media-kind.ts'
import { seasonGroup } from './series-location.ts'

/** Returns the season of a file: its own; 0 for specials; the year for a show with air dates; else the first. */
export function resolveSeasonNumber(name: EpisodeName): number {
  if (name.isSpecial) return 0
  if (name.seasonNumber !== null) return name.seasonNumber
  if (name.airDate !== null) return Number(name.airDate.slice(0, 4))
  return name.episodeNumber === null ? 0 : 1
}

/** Identifies an episode by its path. */
export function identifyEpisode(name: EpisodeName, fileName: string): Identification {
  const { airDate, absoluteNumber } = name
  const isBetween = absoluteNumber !== null && !Number.isInteger(absoluteNumber)
  const numbers = {
    seasonNumber: resolveSeasonNumber(name),
    // An episode such as 12.5 lies between two episodes; as a special it is not number 12.
    episodeNumber: isBetween ? null : name.episodeNumber,
    endingEpisodeNumber: isBetween ? null : name.endingEpisodeNumber,
  }
  const half = isBetween ? `Episode ${absoluteNumber}` : null
  const ownTitle = titleOf(name)
  const title = ownTitle ?? half ?? numberedName(numbers) ?? airDate ?? fileStem(fileName)
  const metadata: Record<string, unknown> = { title }
  if (airDate !== null) metadata['air_date'] = airDate
  if (absoluteNumber !== null) metadata['absolute_number'] = absoluteNumber
  return {
    type: 'episode',
    name: title,
    sortTitle: sortTitle(title),
    year: airDate === null ? name.seasonYear : Number(airDate.slice(0, 4)),
    ...numbers,
    episodeTitle: ownTitle,
    metadata,
  }
}

function titleOf({ episodeTitle, episodePart }: EpisodeName): string | null {
  return episodeTitle === null || episodePart === null ? episodeTitle : `${episodeTitle}, Part ${episodePart}`
}

type Numbers = { episodeNumber: number | null; endingEpisodeNumber: number | null }

function numberedName({ episodeNumber, endingEpisodeNumber }: Numbers): string | null {
  if (episodeNumber === null) return null
  return endingEpisodeNumber === null ? `Episode ${episodeNumber}` : `Episodes ${episodeNumber}-${endingEpisodeNumber}`
}

type NamedEpisode = { identification: Identification; groups: readonly ItemGroup[] }

/**
 * Describes an episode with its NFO. A file of several episodes has several records and gets the titles of all. Numbers from the NFO are
 * used only if the name has none, as for shows with air dates.
 * @param local the records of the sidecar
 */
export function describeEpisode(
  { identification, groups }: NamedEpisode,
  local: readonly LocalMetadata[],
): FileDescription {
  const records = recordsOf(identification, local)
  const described = describeVideo(identification, joined(records))
  const title = described.localMetadata['title']
  const episode = { ...described.identification, ...(typeof title === 'string' && { episodeTitle: title }) }
  const numbered = records.find(({ episodeNumber }) => episodeNumber !== null)
  if (identification.episodeNumber !== null || numbered === undefined) {
    return { ...described, identification: episode, groups }
  }
  const seasonNumber = numbered.seasonNumber ?? identification.seasonNumber ?? 0
  const [series] = groups
  return {
    ...described,
    identification: { ...episode, seasonNumber, episodeNumber: numbered.episodeNumber },
    groups: series === undefined ? groups : [series, seasonGroup(series, seasonNumber)],
  }
}

/** Returns the records of the episodes in the file, or all records if their numbers do not match. */
function recordsOf(
  { episodeNumber, endingEpisodeNumber }: Identification,
  local: readonly LocalMetadata[],
): LocalMetadata[] {
  const records = local.filter(({ kind }) => kind === 'episode' || kind === 'unknown')
  const first = episodeNumber ?? null
  if (first === null || records.length < 2) return records
  const last = endingEpisodeNumber ?? first
  const own = records.filter((record) => {
    const number = record.episodeNumber
    return number !== null && number >= first && number <= last
  })
  return own.length > 0 ? own : records
}

/** Returns one record for all episodes of a file: the first record, with the titles and overviews of all. */
function joined(records: readonly LocalMetadata[]): LocalMetadata[] {
  const [first, ...others] = records
  if (first === undefined || others.length === 0) return [...records]
  const titles = records.flatMap(({ title }) => title ?? [])
  const overviews = records.flatMap(({ overview }) => overview ?? [])
  return [
    {
      ...first,
      title: titles.length > 0 ? titles.join(' / ') : null,
      overview: overviews.length > 0 ? overviews.join('\n\n') : null,
    },
  ]
}
