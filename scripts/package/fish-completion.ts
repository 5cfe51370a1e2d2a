import type { Command } from '@oclif/core'

/**
 * Completion for fish, which @oclif/plugin-autocomplete does not support: commands, their flags, and the values of flags.
 */

const HEAD = `# Completion of phlix in fish. Copy it to ~/.config/fish/completions/ or /usr/share/fish/vendor_completions.d/.
# This file is written by \`npm run docs\` from src/commands.
`

/** The text of contrib/completions/phlix.fish. */
export function fishCompletion(all: readonly Command.Cached[]): string {
  return [
    HEAD,
    'complete -c phlix -n __fish_use_subcommand -f',
    ...all.map(({ id, summary = '' }) => complete('__fish_use_subcommand', `-f -a ${quoted(id)}`, summary)),
    '',
    ...all.flatMap(describeFlags),
    '',
  ].join('\n')
}

function describeFlags({ id, flags }: Command.Cached): string[] {
  return Object.values(flags)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((flag) => {
      const letter = flag.char === undefined ? '' : ` -s ${flag.char}`
      const words = `-l ${flag.name}${letter}${valueOf(flag)}`
      return complete(`__fish_seen_subcommand_from ${id}`, words, flag.summary ?? flag.description ?? '')
    })
}

/** Files are offered for flags that take one, and nothing for other values. */
function valueOf(flag: Command.Flag.Cached): string {
  if (flag.type !== 'option') return ''
  if (flag.options !== undefined) return ` -x -a ${quoted(flag.options.join(' '))}`
  return /^(?:FILE|FOLDER|DIRECTORY)$/.test(flag.helpValue?.toString() ?? '') ? ' -r -F' : ' -x'
}

function complete(condition: string, words: string, text: string): string {
  return `complete -c phlix -n ${quoted(condition)} ${words} -d ${quoted(text)}`
}

/** Between single quotes only these two characters are special (fish documentation, "Quotes"). */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, (letter) => `\\${letter}`)}'`
}
