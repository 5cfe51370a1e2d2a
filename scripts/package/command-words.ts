import type { Command } from '@oclif/core'

/** A flag as shells and the manual show it. */
export type FlagWords = {
  name: string
  letter: string | undefined
  /** Name of the value; undefined for a switch. */
  value: string | undefined
  choices: readonly string[]
  text: string
  isShared: boolean
}

/** The flags of a command by name. */
export function flagWords(command: Command.Cached): FlagWords[] {
  return Object.values(command.flags)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((flag) => ({
      name: flag.name,
      letter: flag.char,
      value: flag.type === 'option' ? (flag.helpValue?.toString() ?? 'VALUE') : undefined,
      choices: flag.type === 'option' ? (flag.options ?? []) : [],
      text: flag.summary ?? flag.description ?? '',
      isShared: flag.helpGroup === 'GLOBAL',
    }))
}

/** Whether the value of a flag is a file or a folder. */
export function takesPath({ value }: FlagWords): boolean {
  return /^(?:FILE|FOLDER|DIRECTORY)$/.test(value ?? '')
}
