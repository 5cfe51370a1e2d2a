import { ExitError } from '@oclif/core/errors'
import type { Hook } from '@oclif/core/hooks'
import { findNearestName, processEnvironment } from '../../../core/platform/config/index.ts'
import { EXIT } from '../exit-codes.ts'
import { createOutput } from './output.ts'

/** Maximum number of words of a command id. */
const MAX_WORDS = 2

/** Mistyped commands that match this are printed. Other words are not printed, because they may be secrets. */
const WORD = /^[a-z][a-z-]{0,40}$/i

/** Reports an unknown command and the nearest existing one, without a prompt. Exits with 127. */
const commandNotFound: Hook.CommandNotFound = async ({ config, id, argv = [] }) => {
  const ids = config.commands.filter(({ hidden }) => !hidden).map((command) => command.id)
  const words = id.split(':')
  const failure = { code: 'unknown_command', message: describe(words), exit: EXIT.unknownCommand, details: {} }
  const hint = suggest(words, ids, config.bin)
  const isJson = argv.includes('--json') || processEnvironment()['PHLIX_CONTENT_TYPE'] === 'json'
  const output = createOutput(!argv.includes('--no-color'))
  if (isJson) output.result(JSON.stringify({ error: { ...failure, hint } }, null, 2))
  else {
    output.message(
      `${output.style('stderr', 'red', 'error:')} ${failure.message} ${output.style('stderr', 'dim', `(${failure.code})`)}`,
    )
    output.message(`${output.style('stderr', 'bold', 'hint:')} ${hint}`)
  }
  throw new ExitError(EXIT.unknownCommand)
}

export default commandNotFound

function describe(words: readonly string[]): string {
  if (/^-[a-z]$/i.test(words[0] ?? '')) return `${words[0]} needs a command before it`
  const isKnownForm = words.length <= MAX_WORDS && words.every((word) => WORD.test(word))
  const shown = isKnownForm ? words.join(':') : WORD.test(words[0] ?? '') ? words[0] : undefined
  return shown === undefined ? 'There is no such command' : `There is no command ${shown}`
}

/**
 * Returns the nearest command, within the topic if that is known. Otherwise the first two words (`libary scan Films`) or the first word
 * (`mirgate now`) may be a mistyped command or topic.
 */
function suggest(words: readonly string[], ids: readonly string[], bin: string): string {
  const [first = '', second] = words.map((word) => word.toLowerCase())
  const topics = [...new Set(ids.filter((one) => one.includes(':')).map(topicOf))]
  const near = topics.includes(first)
    ? withTopic(first, findNearestName(second ?? '', ids.filter((one) => topicOf(one) === first).map(commandOf)))
    : ((second === undefined ? undefined : findNearestName(`${first}:${second}`, ids)) ?? findNearestName(first, ids))
  if (near !== undefined) return `did you mean ${bin} ${near}?`
  const topic = findNearestName(first, topics)
  return topic === undefined ? `${bin} help` : `${bin} help ${topic}`
}

function withTopic(topic: string, command: string | undefined): string | undefined {
  return command === undefined ? undefined : `${topic}:${command}`
}

function topicOf(id: string): string {
  return id.split(':')[0] ?? ''
}

function commandOf(id: string): string {
  return id.split(':')[1] ?? ''
}
