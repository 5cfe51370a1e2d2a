import { z } from 'zod'
import { useForwardSlashes, type Config } from '../../platform/config/index.ts'
import type { AcquirerName } from './acquirer.ts'
import type { ServarrApi } from './servarr-api.ts'

const Profiles = z.array(z.object({ id: z.number(), name: z.string() }))
const RootFolders = z.array(z.object({ path: z.string(), accessible: z.boolean().optional() }))

/** The quality profile and the root folder for a new title. */
export type DownloadTarget = { qualityProfileId: number; rootFolderPath: string }

/**
 * Finds the configured profile and folder on the acquirer; the default is the first usable one.
 * @throws Error when there is none of that name, or none at all
 */
export async function findDownloadTarget(
  api: ServarrApi,
  name: AcquirerName,
  { options }: Config,
): Promise<DownloadTarget> {
  const profiles = await api.get('/qualityprofile', Profiles)
  const folders = await api.get('/rootfolder', RootFolders)
  const [wanted, folder] = [options[`acquisition.${name}.quality_profile`], options[`acquisition.${name}.root_folder`]]
  const profile =
    wanted === undefined
      ? profiles[0]
      : profiles.find((known) => known.name.toLowerCase() === wanted.toLowerCase() || String(known.id) === wanted)
  if (profile === undefined) throw new Error(`${api.title} has no quality profile ${wanted ?? 'at all'}.`)
  const root =
    folder === undefined
      ? folders.find(({ accessible }) => accessible !== false)
      : folders.find(({ path }) => useForwardSlashes(path) === useForwardSlashes(folder))
  if (root === undefined) throw new Error(`${api.title} has no root folder ${folder ?? 'that it can write to'}.`)
  return { qualityProfileId: profile.id, rootFolderPath: root.path }
}
