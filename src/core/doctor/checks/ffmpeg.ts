import { AppError } from '../../platform/errors/index.ts'
import { createMediaTools } from '../../platform/media-tools/index.ts'
import type { DoctorCheck, DoctorContext } from '../doctor-context.ts'
import { errorResult, problemsOrOk, type CheckResult } from '../finding.ts'

const TOOLS = ['ffmpeg', 'ffprobe'] as const

export const ffmpegCheck: DoctorCheck = {
  id: 'ffmpeg',
  async run(context) {
    const mediaTools = createMediaTools(context)
    const problems: CheckResult[] = []
    const versions: string[] = []
    for (const tool of TOOLS) {
      try {
        versions.push(`${tool} ${(await mediaTools.version(tool)).text}`)
      } catch (reason) {
        if (!(reason instanceof AppError)) throw reason
        problems.push(errorResult(reason.message, fixOf(context, tool)))
      }
    }
    return problemsOrOk(problems, versions.join(', '))
  },
}

/** A configured path that is wrong is removed; the name on PATH then applies. */
function fixOf({ config }: DoctorContext, tool: (typeof TOOLS)[number]): string {
  const [kind, name] = config.origins[`media.${tool}`].split(' ', 2)
  return kind === 'environment' && name !== undefined ? `unset ${name}` : 'apt-get install ffmpeg'
}
