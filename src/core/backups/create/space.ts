import { freeSpaceBytes } from '../../platform/files/index.ts'
import { backupErrors } from '../errors.ts'

/** @throws AppError `backup_no_space` unless the bytes fit into the file system of the folder above the floor */
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
