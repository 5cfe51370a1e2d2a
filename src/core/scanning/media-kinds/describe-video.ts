import { sortTitle } from '../../naming/index.ts'
import type { LocalMetadata } from '../../probing/index.ts'
import type { FileDescription, Identification } from './media-kind.ts'
import { nfoFacts } from './nfo-facts.ts'

/**
 * Describes a video with its NFO, whose name and year take precedence over name and year in the file name.
 * @param records the sidecars, the most trusted last
 */
export function describeVideo<Named extends Pick<Identification, 'name' | 'sortTitle' | 'year' | 'metadata'>>(
  named: Named,
  records: readonly LocalMetadata[],
): { identification: Named } & Pick<FileDescription, 'nameSource' | 'localMetadata'> {
  const latest = <Value>(read: (record: LocalMetadata) => Value | null): Value | null =>
    records.map(read).findLast((value) => value !== null) ?? null
  const title = latest((record) => record.title)
  const year = latest((record) => record.year)
  const name = title ?? named.name
  const sorted = latest((record) => record.sortTitle) ?? (title === null ? named.sortTitle : sortTitle(title))
  return {
    identification: { ...named, name, sortTitle: sorted, year: year ?? named.year },
    nameSource: title === null && year === null ? 'file' : 'local',
    localMetadata: nfoFacts(records, named.metadata['external_ids']),
  }
}
