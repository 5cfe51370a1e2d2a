/**
 * Processor time of this process, which excludes other load of the machine. It is only compared with that of other work in the same run,
 * and with a wide margin, so that the result holds on any machine.
 */

const RUNS = 5

/** Processor time of work in milliseconds: the minimum of several runs, because the compiler runs during the first ones. */
export function processorMilliseconds(work: () => unknown, runs = RUNS): number {
  let least = Infinity
  for (let run = 0; run < runs; run += 1) {
    const start = process.cpuUsage()
    work()
    least = Math.min(least, since(start))
  }
  return least
}

/** The same for asynchronous work. `prepare` creates the input of a run and is not measured. */
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

/** Processor time of reading a million characters one by one, in milliseconds: the unit for work on long texts. */
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
