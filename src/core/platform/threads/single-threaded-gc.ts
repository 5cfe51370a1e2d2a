import { setFlagsFromString } from 'node:v8'

/** A user who browses pages sends requests within this interval. */
const ACTIVITY_MILLISECONDS = 1000

const FLAGS = {
  ownThread: ['--no-concurrent-marking', '--no-concurrent-sweeping'],
  concurrent: ['--concurrent-marking', '--concurrent-sweeping'],
}

/**
 * Returns a function after whose call each thread collects its own heap for one second. V8's workers, which otherwise collect the heaps of
 * all threads, ignore the throttling of background work and would take processors from requests. Collecting per thread needs about 70 MB
 * more while a library is scanned, so it is enabled only while requests arrive.
 */
export function createSingleThreadedGc(): () => void {
  let end: NodeJS.Timeout | undefined
  return () => {
    if (end === undefined) setFlags(FLAGS.ownThread)
    else clearTimeout(end)
    end = setTimeout(() => {
      end = undefined
      setFlags(FLAGS.concurrent)
    }, ACTIVITY_MILLISECONDS).unref()
  }
}

function setFlags(args: readonly string[]): void {
  for (const word of args) setFlagsFromString(word)
}
