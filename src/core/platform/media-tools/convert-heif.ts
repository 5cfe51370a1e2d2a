import { isAbsolute } from 'node:path'
import { runTool } from '../spawn/index.ts'

/** Nearly as good as what the camera kept; the copy lives for a moment. */
const QUALITY = '92'

/**
 * A HEIF picture as JPEG, by libheif's own converter: it puts the tiles together that cameras cut a picture into, which ffmpeg does only
 * from version 7 on, and turns it as the picture says.
 * @param paths absolute; `output` ends in `.jpg`, which says the format
 * @returns whether the program is there and made the picture
 */
export async function convertHeif(
  program: string,
  { input, output }: { input: string; output: string },
  timeoutSeconds: number,
): Promise<boolean> {
  for (const path of [input, output]) {
    // A name that begins with a dash would be an option.
    if (!isAbsolute(path) || path.includes('\0')) throw new RangeError(`not an absolute path: ${JSON.stringify(path)}`)
  }
  const { outcome, exitCode } = await runTool({
    program,
    arguments: ['-q', QUALITY, '--quiet', input, output],
    timeoutSeconds,
  })
  return outcome === 'exited' && exitCode === 0
}
