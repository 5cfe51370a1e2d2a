import { Args, Flags } from '@oclif/core'

const WHICH = 'id, or name when only one library has it'

/** Argument that identifies a library. */
export const libraryArgument = Args.string({ ignoreStdin: true, required: true, description: WHICH })

/** The same, optional: without it the command covers all libraries. */
export const optionalLibraryArgument = Args.string({ ignoreStdin: true, description: `${WHICH}; all without it` })

/** Time limit of a command that follows a job. */
export const timeoutFlag = Flags.integer({
  min: 1,
  max: 604_800,
  helpValue: 'SECONDS',
  summary: 'Give up after this time, exit 75.',
})
