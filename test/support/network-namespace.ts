import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Test } from 'tap'

const run = promisify(execFile)

/** A network that only the gateway of a test can reach: this process is at `gatewayAddress`, programs in the namespace are at `address`. */
export type NetworkNamespace = {
  gatewayAddress: string
  address: string
  /** The words before a command that runs in the namespace. */
  within: readonly string[]
}

/**
 * Creates a network namespace whose default route leads to this process (ip-netns(8), veth(4)); removed at the end of the test.
 * @returns undefined if this account or machine does not permit it; the test is then skipped
 */
export async function networkNamespace(t: Test): Promise<NetworkNamespace | undefined> {
  const name = `phlix${process.pid}`
  const [outside, inside] = [`phx${process.pid}a`, `phx${process.pid}b`]
  const [gatewayAddress, address] = ['10.231.77.1', '10.231.77.20']
  const ip = async (...words: string[]): Promise<void> => void (await run('ip', words))
  try {
    await ip('netns', 'add', name)
  } catch {
    t.comment('network namespaces are not permitted here')
    return undefined
  }
  t.teardown(() => ip('netns', 'delete', name))
  try {
    await ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', name)
  } catch {
    t.comment('pairs of network devices are not permitted here')
    return undefined
  }
  await ip('address', 'add', `${gatewayAddress}/24`, 'dev', outside)
  await ip('link', 'set', outside, 'up')
  const within = ['ip', 'netns', 'exec', name]
  await ip('-n', name, 'link', 'set', 'lo', 'up')
  await ip('-n', name, 'address', 'add', `${address}/24`, 'dev', inside)
  await ip('-n', name, 'link', 'set', inside, 'up')
  await ip('-n', name, 'route', 'add', 'default', 'via', gatewayAddress)
  return { gatewayAddress, address, within }
}
