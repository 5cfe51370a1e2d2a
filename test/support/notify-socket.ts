import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import { reachableDirectory } from './directories.ts'
import { unlessInstalled } from './programs.ts'

/** Prints each datagram as one line, its line feeds as spaces. Node cannot open such sockets. */
const RECEIVER = `
use Socket; $| = 1;
socket(my $socket, PF_UNIX, SOCK_DGRAM, 0) or die; bind($socket, pack_sockaddr_un($ARGV[0])) or die; print "open\\n";
while (defined recv($socket, my $message, 4096, 0)) { $message =~ s/\\n/ /g; print "$message\\n"; }`

/** The reason to skip tests of the messages to a service manager. */
export const unlessNotifies = unlessInstalled('systemd-notify') || unlessInstalled('perl')

/** The socket of a service manager, which keeps the messages that it receives. */
export async function openNotifySocket(t: Test): Promise<{ path: string; messages: string[] }> {
  const path = join(reachableDirectory(t), 'notify')
  const receiver = spawn('perl', ['-e', RECEIVER, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(async () => {
    const ended = once(receiver, 'close')
    receiver.kill('SIGKILL')
    await ended
  })
  const messages: string[] = []
  const isOpen = Promise.withResolvers<void>()
  receiver.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = text.split('\n').filter((line) => line !== '')
    if (lines[0] === 'open') isOpen.resolve()
    // systemd-notify also asks for a confirmation that its message was read (sd_notify_barrier).
    messages.push(...lines.filter((line) => line !== 'open' && line !== 'BARRIER=1').map((line) => line.trim()))
  })
  await isOpen.promise
  return { path, messages }
}
