import { compareVersions } from '../../platform/config/index.ts'
import type { CatalogueEntry, CatalogueVersion, Channel } from './catalogue.ts'

/** The newest version of a channel that runs on this release; undefined if there is none. */
export function chooseVersion(
  { versions }: Pick<CatalogueEntry, 'versions'>,
  { channel, serverVersion }: { channel: Channel; serverVersion: string },
): CatalogueVersion | undefined {
  return versions.find(
    (version) =>
      (channel === 'dev' || version.channel === 'stable') &&
      (version.minimumServerVersion === null || compareVersions(version.minimumServerVersion, serverVersion) <= 0),
  )
}
