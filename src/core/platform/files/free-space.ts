import { statfs } from 'node:fs/promises'

/**
 * Bytes that an unprivileged process can still write to the file system of an existing path.
 * @throws the system error of statfs(2), for example ENOENT
 */
export async function freeSpaceBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path, { bigint: true })
  return Number(bavail * bsize)
}
