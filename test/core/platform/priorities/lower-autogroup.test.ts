import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { lowerAutogroupPriority } from '../../../../src/core/platform/priorities/index.ts'
import { asUnprivilegedUser } from '../../../support/unprivileged-user.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const skip = existsSync('/proc/self/autogroup') ? false : 'this kernel does not share processors between sessions'

const autogroupOf = (pid: number | undefined): string => readFileSync(`/proc/${pid}/autogroup`, 'utf8').trim()

function sleeper(t: Test, { detached }: { detached: boolean }): ChildProcess {
  const child = spawn('sleep', ['600'], { detached, stdio: 'ignore' })
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

/** For accounts other than root the kernel accepts one write per tenth of a second, and the product retries. */
async function untilNiceness(pid: number | undefined, niceness: number): Promise<void> {
  await waitUntil(`niceness ${niceness}`, () => autogroupOf(pid).endsWith(`nice ${niceness}`))
}

void t.test('the priority of a session is lowered as a whole, and never raised', { skip }, async (t) => {
  const children = [1, 2, 3].map(() => sleeper(t, { detached: true }))
  for (const { pid } of children) lowerAutogroupPriority(pid ?? 0, 12)
  await Promise.all(children.map(({ pid }) => untilNiceness(pid, 12)))
  const [first] = children
  lowerAutogroupPriority(first?.pid ?? 0, 5)
  t.match(autogroupOf(first?.pid), /nice 12$/)
})

void t.test('a process in another session does not change its priority', { skip }, async (t) => {
  const before = autogroupOf(process.pid)
  const child = sleeper(t, { detached: false })
  lowerAutogroupPriority(child.pid ?? 0, 12)
  t.equal(autogroupOf(process.pid), before)
  t.equal(autogroupOf(child.pid), before)
})

void t.test(
  'the priority of a session whose files belong to root for a moment is lowered afterwards',
  { skip },
  async (t) => {
    if (process.geteuid?.() !== 0) return t.comment('only root can act as another account')
    const { pid } = sleeper(t, { detached: true })
    const before = autogroupOf(pid)
    await asUnprivilegedUser(async () => lowerAutogroupPriority(pid ?? 0, 12))
    t.equal(autogroupOf(pid), before)
    await untilNiceness(pid, 12)
  },
)

void t.test('a program that has ended is no error', async (t) => {
  const child = sleeper(t, { detached: true })
  child.kill('SIGKILL')
  await once(child, 'exit')
  lowerAutogroupPriority(child.pid ?? 0, 12)
  lowerAutogroupPriority(2 ** 30, 12)
})
