import { hasFiles, sampleFiles } from '../../catalogue/index.ts'
import { listLibraryRoots, type Library, type LibraryRoot } from '../../libraries/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import { statFiles, statFolder, type DiskThreads } from '../../platform/files/index.ts'
import type { GuardedRoot } from '../job/guarded-root.ts'
import type { ScanServices } from '../job/scan-state.ts'

/** What reads the folders, and the time after which a folder that does not answer counts as unavailable. */
export type RootAccess = Pick<ScanServices, 'diskThreads' | 'silenceLimitMilliseconds'>

/** Error text of a job that the guard refused. */
export const ROOT_UNAVAILABLE = 'library root is not available: nothing was removed'

const SAMPLE_SIZE = 32

/**
 * Checks every folder of a library before absent files are interpreted: an unmounted disk looks like an empty folder. A missing or
 * unreadable folder is rejected. A folder with files in the catalogue is also rejected if it is empty or on another device, unless `force`
 * is set.
 */
export async function guardLibraryRoots(
  services: RootAccess & { db: Connection },
  { library, force }: { library: Library; force: boolean },
): Promise<GuardedRoot[]> {
  const { db } = services
  const guarded: GuardedRoot[] = []
  for (const root of await listLibraryRoots({ db }, library.id)) {
    const now = await checkRoot(services, root.path)
    const reason = now.isAvailable && !force ? await findDoubt(services, library.id, root, now) : undefined
    guarded.push(reason === undefined ? now : { path: root.path, isAvailable: false, reason })
  }
  return guarded
}

/** The folders of a library that a scan would reject, with the reasons. */
export async function findUnavailableRoots(
  services: { db: Connection; diskThreads: DiskThreads },
  library: Library,
): Promise<{ path: string; reason: string }[]> {
  const roots = await guardLibraryRoots(services, { library, force: false })
  return roots.flatMap((root) => (root.isAvailable ? [] : [{ path: root.path, reason: root.reason }]))
}

/** Returns whether a folder has the same device and inode as at the start of the scan, and has not become empty by an unmount. */
export async function isSameRoot(services: RootAccess, root: GuardedRoot): Promise<boolean> {
  if (!root.isAvailable) return false
  const now = await checkRoot(services, root.path)
  return (
    now.isAvailable &&
    now.identity.device === root.identity.device &&
    now.identity.inode === root.identity.inode &&
    (root.isEmpty || !now.isEmpty)
  )
}

async function checkRoot({ diskThreads, silenceLimitMilliseconds }: RootAccess, path: string): Promise<GuardedRoot> {
  try {
    const { device, inode, isEmpty } = await statFolder({ diskThreads }, path, silenceLimitMilliseconds)
    return { path, isAvailable: true, identity: { device, inode }, isEmpty }
  } catch (error) {
    return { path, isAvailable: false, reason: describeError(error) }
  }
}

async function findDoubt(
  services: RootAccess & { db: Connection },
  libraryId: string,
  root: LibraryRoot,
  now: GuardedRoot & { isAvailable: true },
): Promise<string | undefined> {
  if (!(await hasFiles(services.db, { libraryId, below: root.path }))) return undefined
  if (now.isEmpty) return 'it is empty'
  if (root.identity === null || root.identity.device === now.identity.device) return undefined
  // Device numbers of network, btrfs, ZFS and container file systems change at every boot. Another device is rejected only if the expected
  // files are missing too.
  return (await hasMostFiles(services, { libraryId, below: root.path }))
    ? undefined
    : 'it is on another device than before'
}

async function hasMostFiles(
  { db, diskThreads, silenceLimitMilliseconds }: RootAccess & { db: Connection },
  place: { libraryId: string; below: string },
): Promise<boolean> {
  const sample = await sampleFiles(db, { ...place, limit: SAMPLE_SIZE })
  const stats = await statFiles(
    { diskThreads },
    sample.map(({ path }) => path),
    silenceLimitMilliseconds,
  )
  const present = sample.filter(({ sizeBytes }, index) => {
    const current = stats[index]
    return current?.kind === 'present' && current.sizeBytes === sizeBytes
  })
  return present.length * 2 > sample.length
}
