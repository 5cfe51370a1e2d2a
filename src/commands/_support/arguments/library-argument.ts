import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'

const LIBRARY_DESCRIPTION = 'id, or name if only one library has it'

/** Argument that identifies a library. */
export const libraryArgument = Args.string({ ignoreStdin: true, required: true, description: LIBRARY_DESCRIPTION })

/** Optional argument that identifies a library; without it the command covers all libraries. */
export const optionalLibraryArgument = Args.string({
  ignoreStdin: true,
  description: `${LIBRARY_DESCRIPTION}; default: all libraries`,
})

/** Time limit of a command that follows a job. */
export const timeoutFlag = Flags.integer({
  min: 1,
  max: 604_800,
  helpValue: 'SECONDS',
  summary: 'Stop waiting after this time; exit code 75.',
})
