import { setFlagsFromString } from 'node:v8'

/** A user who browses pages sends requests within this interval. */
const ATTENTION_MILLISECONDS = 1000

const flags = {
  alone: ['--no-concurrent-marking', '--no-concurrent-sweeping'],
  helped: ['--concurrent-marking', '--concurrent-sweeping'],
}

let end: NodeJS.Timeout | undefined

/**
 * For one second from now each thread collects its own heap. V8's workers, which otherwise do so for all threads, ignore the throttling of
 * background work and would take processors from requests. It needs about 70 MB more while a library is scanned, so it is enabled only
 * while requests arrive.
 */
export function collectOnOwnThread(): void {
  if (end === undefined) setFlags(flags.alone)
  else clearTimeout(end)
  end = setTimeout(() => {
    end = undefined
    setFlags(flags.helped)
  }, ATTENTION_MILLISECONDS).unref()
}

function setFlags(words: readonly string[]): void {
  for (const word of words) setFlagsFromString(word)
}
