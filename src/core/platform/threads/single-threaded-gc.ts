import { setFlagsFromString } from 'node:v8'

/** Requests of somebody who looks at pages come closer together. */
const ATTENTION_MILLISECONDS = 1000

const flags = {
  alone: ['--no-concurrent-marking', '--no-concurrent-sweeping'],
  helped: ['--concurrent-marking', '--concurrent-sweeping'],
}

let end: NodeJS.Timeout | undefined

/**
 * For a second from now each thread marks and sweeps its own heap. V8's workers, which otherwise do so for all threads, are not asked whether
 * they may, and keep whoever answers requests from the processors. It takes some 70 MB more while a library is scanned, so it
 * holds only while somebody asks.
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
