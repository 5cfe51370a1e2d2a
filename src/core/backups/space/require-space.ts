import { freeSpaceBytes } from '../../platform/files/index.ts'
import { backupErrors } from '../errors.ts'

/**
 * Checks that the file system of a folder has enough free space for the bytes plus the space that must stay free (`floorBytes`). @throws
 * AppError `backup_no_space`
 */
export async function requireSpace(
  folder: string,
  { bytes, floorBytes }: { bytes: number; floorBytes: number },
): Promise<void> {
  const free = await freeSpaceBytes(folder)
  if (free >= bytes + floorBytes) return
  throw backupErrors.backup_no_space({
    message: `${folder} has ${mebibytes(free)} MiB free; ${mebibytes(bytes + floorBytes)} MiB are needed`,
    hint: 'Free some space, or choose another folder with --to.',
    details: { free_bytes: free, needed_bytes: bytes + floorBytes },
  })
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / (1024 * 1024))
}
