/**
 * Processor time of this process: what else the machine does is not counted. It is only ever compared with that of other work in the same
 * run, and by a wide margin, so that it holds on any machine.
 */

const RUNS = 5

/** Milliseconds that work takes: the least of several runs, because the compiler works beside the first ones. */
export function processorMilliseconds(work: () => unknown, runs = RUNS): number {
  let least = Infinity
  for (let run = 0; run < runs; run += 1) {
    const start = process.cpuUsage()
    work()
    least = Math.min(least, since(start))
  }
  return least
}

/** The same for work that waits; `prepare` makes what a run uses up and is not counted. */
export async function asyncProcessorMilliseconds<Input>(
  prepare: () => Promise<Input>,
  work: (input: Input) => Promise<unknown>,
  runs = RUNS,
): Promise<number> {
  let least = Infinity
  for (let run = 0; run < runs; run += 1) {
    const input = await prepare()
    const start = process.cpuUsage()
    await work(input)
    least = Math.min(least, since(start))
  }
  return least
}

const READ_CHARACTERS = 1_000_000
const READ_RUNS = 20

/** Milliseconds that reading a million characters one by one takes: a unit for work on long texts. */
export function readingMilliseconds(): number {
  const text = 'abcdefghij'.repeat(READ_CHARACTERS / 10)
  let sum = 0
  return processorMilliseconds(() => {
    for (let at = 0; at < text.length; at += 1) sum = (sum + text.charCodeAt(at)) | 0
    return sum
  }, READ_RUNS)
}

function since(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
