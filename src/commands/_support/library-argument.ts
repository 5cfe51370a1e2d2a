import { Args, Flags } from '@oclif/core'

const words = { ignoreStdin: true, description: 'id, or name when only one library has it' } as const

/** The library that a command is about. */
export const libraryArgument = Args.string({ ...words, required: true })

/** The same where no word means all of them. */
export const optionalLibraryArgument = Args.string({ ...words, description: `${words.description}; all without it` })

/** How long a command that follows a job may take. */
export const timeoutFlag = Flags.integer({
  min: 1,
  max: 604_800,
  helpValue: 'SECONDS',
  summary: 'Give up after this time, exit 75.',
})
