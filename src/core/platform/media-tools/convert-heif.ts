import { access } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { runTool, type Isolation } from '../spawn/index.ts'

/** Nearly the quality of the original; the file is temporary. */
const QUALITY = '92'

/** A file with several pictures yields one numbered output each. Depth maps and the like have further names. */
const NAME = 'picture.jpg'
const FIRST_OF_SEVERAL = 'picture-1.jpg'

/**
 * Decodes a HEIF picture to JPEG with libheif's converter. It assembles the tiles of camera pictures, which ffmpeg supports only from
 * version 7 on, and applies the rotation.
 * @param paths absolute; `folder` is empty
 * @returns the path of the picture; undefined when the program is missing or wrote none
 */
export async function convertHeif(
  { program, isolation }: { program: string; isolation: Isolation },
  { input, folder }: { input: string; folder: string },
  timeoutSeconds: number,
): Promise<string | undefined> {
  for (const path of [input, folder]) {
    // A path that begins with a dash would be an option.
    if (!isAbsolute(path) || path.includes('\0')) throw new RangeError(`not an absolute path: ${JSON.stringify(path)}`)
  }
  const { outcome, exitCode } = await runTool({
    program,
    arguments: ['-q', QUALITY, '--quiet', input, join(folder, NAME)],
    timeoutSeconds,
    isolation,
  })
  if (outcome !== 'exited' || exitCode !== 0) return undefined
  const candidates = [join(folder, NAME), join(folder, FIRST_OF_SEVERAL)]
  const isPresent = await Promise.all(candidates.map((path) => exists(path)))
  return candidates.find((_, index) => isPresent[index])
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}
