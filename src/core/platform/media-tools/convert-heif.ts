import { access } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { runTool, type Isolation } from '../spawn/index.ts'

/** Nearly as good as what the camera kept; the copy lives for a moment. */
const QUALITY = '92'

/** Of a file with several pictures each has its number; depth and the like come beside them under further names. */
const NAME = 'picture.jpg'
const FIRST_OF_SEVERAL = 'picture-1.jpg'

/**
 * A HEIF picture as JPEG, by libheif's own converter: it puts the tiles together that cameras cut a picture into, which ffmpeg does only
 * from version 7 on, and turns it as the picture says.
 * @param paths absolute; in `folder` nothing else is
 * @returns the path of the picture; undefined when the program is not there or made none
 */
export async function convertHeif(
  { program, isolation }: { program: string; isolation: Isolation },
  { input, folder }: { input: string; folder: string },
  timeoutSeconds: number,
): Promise<string | undefined> {
  for (const path of [input, folder]) {
    // A name that begins with a dash would be an option.
    if (!isAbsolute(path) || path.includes('\0')) throw new RangeError(`not an absolute path: ${JSON.stringify(path)}`)
  }
  const { outcome, exitCode } = await runTool({
    program,
    arguments: ['-q', QUALITY, '--quiet', input, join(folder, NAME)],
    timeoutSeconds,
    isolation,
  })
  if (outcome !== 'exited' || exitCode !== 0) return undefined
  const made = [join(folder, NAME), join(folder, FIRST_OF_SEVERAL)]
  const isThere = await Promise.all(made.map((path) => isMade(path)))
  return made.find((_, index) => isThere[index])
}

async function isMade(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}
