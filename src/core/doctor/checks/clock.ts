import { runTool } from '../../platform/spawn/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { okResult, warningResult } from '../finding.ts'
import { selectServerTime } from '../queries.ts'

/** Tokens and signed addresses tolerate smaller differences. */
const TOLERANCE_SECONDS = 5

const FIX = 'timedatectl set-ntp true'

export const clockCheck: DoctorCheck = {
  id: 'clock',
  async run({ clock, database }) {
    if ('db' in database) {
      const difference = Math.abs((await selectServerTime(database.db)).getTime() - clock.now().getTime()) / 1000
      if (difference > TOLERANCE_SECONDS) {
        return [
          warningResult(`the clocks of this machine and of the database differ by ${Math.round(difference)} s`, FIX),
        ]
      }
    }
    return (await isSynchronized()) === false
      ? [warningResult('the clock is not synchronized', FIX)]
      : okResult('db' in database ? 'the clock agrees with the database' : 'no deviation is known')
  },
}

/** Undefined where systemd does not manage the clock, as in containers, whose host keeps the time. */
async function isSynchronized(): Promise<boolean | undefined> {
  const { exitCode, stdout } = await runTool({
    program: 'timedatectl',
    arguments: ['show', '--property', 'NTPSynchronized', '--value'],
    timeoutSeconds: 3,
  })
  return exitCode === 0 ? stdout.toString().trim() === 'yes' : undefined
}
