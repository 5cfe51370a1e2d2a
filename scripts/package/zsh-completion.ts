import type { Command } from '@oclif/core'
import { flagWords, takesPath, type FlagWords } from './command-words.ts'

const HEAD = `#compdef phlix
# Completion of phlix in zsh. Copy it as _phlix to a folder of $fpath.
# This file is written by \`npm run docs\` from src/commands.
`

/** The text of contrib/completions/_phlix: commands, flags, and the values of flags (zshcompsys(1), _arguments and _describe). */
export function zshCompletion(commands: readonly Command.Cached[]): string {
  const names = commands.map(({ id, summary = '' }) => `    ${quoted(`${id.replaceAll(':', '\\:')}:${summary}`)}`)
  const cases = commands.map((command) => {
    const flags = flagWords(command).map((flag) => quoted(specification(flag)))
    return `    ${command.id})\n      _arguments ${flags.join(' ')} '*:file:_files' ;;`
  })
  return `${HEAD}
_phlix() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${cases.join('\n')}
  esac
}

_phlix "$@"
`
}

function specification(flag: FlagWords): string {
  const text = flag.text.replaceAll(/[[\]:\\]/g, (letter) => `\\${letter}`)
  if (flag.value === undefined) return `--${flag.name}[${text}]`
  const action = flag.choices.length > 0 ? `(${flag.choices.join(' ')})` : takesPath(flag) ? '_files' : ' '
  return `--${flag.name}=[${text}]:${flag.value.toLowerCase().replaceAll(/[^a-z0-9]+/g, ' ')}:${action}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
